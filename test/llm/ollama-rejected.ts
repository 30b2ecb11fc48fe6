/** Requests that Ollama rejects, and their errors. */

export interface Rejected {
  readonly title: string;
  readonly path: 'chat' | 'generate' | 'embed' | 'show';
  /** Replaces members of a right body. */
  readonly change: object;
  readonly message: string;
  /** Default: 400. */
  readonly status?: number;
}

export const rejected: readonly Rejected[] = [
  { title: 'no model', path: 'chat', change: { model: null }, message: 'model is required' },
  { title: 'an empty model', path: 'chat', change: { model: '' }, message: 'model is required' },
  {
    title: 'a model that is a number',
    path: 'chat',
    change: { model: 5 },
    message: 'model must be a string.',
  },
  {
    title: 'an unknown model',
    path: 'chat',
    change: { model: 'llama3.2' },
    message: "model 'llama3.2' not found. GET /api/tags lists the models.",
    status: 404,
  },
  {
    title: 'a model that only embeds',
    path: 'chat',
    change: { model: 'practice-embed' },
    message: '"practice-embed" does not support chat. Use practice-1.',
  },
  {
    title: 'messages that are a text',
    path: 'chat',
    change: { messages: 'Hi' },
    message: 'messages must be an array.',
  },
  {
    title: 'a message that is a text',
    path: 'chat',
    change: { messages: ['Hi'] },
    message: 'messages[0] must be an object.',
  },
  {
    title: 'a content that is a list',
    path: 'chat',
    change: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    message: 'messages[0].content must be a string.',
  },
  {
    title: 'a role that is a number',
    path: 'chat',
    change: { messages: [{ role: 1, content: 'Hi' }] },
    message: 'messages[0].role must be a string.',
  },
  {
    title: 'arguments that are a text',
    path: 'chat',
    change: {
      messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }],
    },
    message: 'messages[0].tool_calls[0].function.arguments must be an object.',
  },
  {
    title: 'calls that are an object',
    path: 'chat',
    change: { messages: [{ role: 'assistant', tool_calls: {} }] },
    message: 'messages[0].tool_calls must be an array.',
  },
  {
    title: 'an image as a data URL',
    path: 'chat',
    change: { messages: [{ role: 'user', content: 'Hi', images: ['data:image/png;base64,aaaa'] }] },
    message: 'messages[0].images[0] must be base64, without a data URL.',
  },
  {
    title: 'images that are a text',
    path: 'chat',
    change: { messages: [{ role: 'user', content: 'Hi', images: 'aaaa' }] },
    message: 'messages[0].images must be an array.',
  },
  {
    title: 'tools that are an object',
    path: 'chat',
    change: { tools: {} },
    message: 'tools must be an array.',
  },
  {
    title: 'a name of a function that is a number',
    path: 'chat',
    change: { tools: [{ type: 'function', function: { name: 1 } }] },
    message: 'tools[0].function.name must be a string.',
  },
  {
    title: 'parameters that are a list',
    path: 'chat',
    change: { tools: [{ type: 'function', function: { name: 'a', parameters: [] } }] },
    message: 'tools[0].function.parameters must be an object.',
  },
  {
    title: 'a stream that is a text',
    path: 'chat',
    change: { stream: 'yes' },
    message: 'stream must be true or false.',
  },
  {
    title: 'an unknown format',
    path: 'chat',
    change: { format: 'xml' },
    message: 'format must be "json" or a JSON Schema.',
  },
  {
    title: 'a format that is a number',
    path: 'chat',
    change: { format: 5 },
    message: 'format must be "json" or a JSON Schema.',
  },
  {
    title: 'thinking of a model that does not think',
    path: 'chat',
    change: { think: true },
    message: '"practice-1" does not support thinking. Use practice-1-thinking.',
  },
  {
    title: 'an unknown level of thinking',
    path: 'chat',
    change: { think: 'extreme' },
    message: 'think must be true, false, "low", "medium", "high" or "max".',
  },
  {
    title: 'thinking that is a number',
    path: 'chat',
    change: { think: 1 },
    message: 'think must be true, false, "low", "medium", "high" or "max".',
  },
  {
    title: 'time in words',
    path: 'chat',
    change: { keep_alive: '5 minutes' },
    message: 'keep_alive must be seconds, or a duration such as "5m".',
  },
  {
    title: 'time without a unit',
    path: 'chat',
    change: { keep_alive: '5' },
    message: 'keep_alive must be seconds, or a duration such as "5m".',
  },
  {
    title: 'time that is a boolean',
    path: 'chat',
    change: { keep_alive: true },
    message: 'keep_alive must be seconds, or a duration such as "5m".',
  },
  {
    title: 'options that are a list',
    path: 'chat',
    change: { options: [] },
    message: 'options must be an object.',
  },
  {
    title: 'a number of tokens as a text',
    path: 'chat',
    change: { options: { num_predict: '9' } },
    message: 'options.num_predict must be an integer.',
  },
  {
    title: 'a temperature as a text',
    path: 'chat',
    change: { options: { temperature: '0.5' } },
    message: 'options.temperature must be a number.',
  },
  {
    title: 'stop as a text',
    path: 'chat',
    change: { options: { stop: 'END' } },
    message: 'options.stop must be an array.',
  },
  {
    title: 'too many sequences to stop at',
    path: 'generate',
    change: { options: { stop: Array(21).fill('END') } },
    message: 'options.stop must have at most 20 items.',
  },
  {
    title: 'stop with a number',
    path: 'chat',
    change: { options: { stop: [1] } },
    message: 'options.stop[0] must be a string.',
  },
  {
    title: 'a seed that is a boolean',
    path: 'chat',
    change: { options: { seed: true } },
    message: 'options.seed must be an integer.',
  },
  {
    title: '21 alternatives',
    path: 'chat',
    change: { logprobs: true, top_logprobs: 21 },
    message: 'top_logprobs must be from 0 to 20.',
  },
  {
    title: 'fewer than no alternatives',
    path: 'chat',
    change: { top_logprobs: -1 },
    message: 'top_logprobs must be from 0 to 20.',
  },
  {
    title: 'no model',
    path: 'generate',
    change: { model: null },
    message: "model '' not found. GET /api/tags lists the models.",
    status: 404,
  },
  {
    title: 'an unknown model',
    path: 'generate',
    change: { model: 'llama3.2' },
    message: "model 'llama3.2' not found. GET /api/tags lists the models.",
    status: 404,
  },
  {
    title: 'a model that only embeds',
    path: 'generate',
    change: { model: 'practice-embed' },
    message: '"practice-embed" does not support generate. Use practice-1.',
  },
  {
    title: 'a prompt that is a list',
    path: 'generate',
    change: { prompt: ['Hi'] },
    message: 'prompt must be a string.',
  },
  {
    title: 'a system that is an object',
    path: 'generate',
    change: { system: {} },
    message: 'system must be a string.',
  },
  {
    title: 'raw with a system',
    path: 'generate',
    change: { raw: true, system: 'Be short.' },
    message: 'With raw, send no template, system or context.',
  },
  {
    title: 'raw with a template',
    path: 'generate',
    change: { raw: true, template: '{{ .Prompt }}' },
    message: 'With raw, send no template, system or context.',
  },
  {
    title: 'raw with a context',
    path: 'generate',
    change: { raw: true, context: [1] },
    message: 'With raw, send no template, system or context.',
  },
  {
    title: 'a suffix',
    path: 'generate',
    change: { suffix: 'end' },
    message: '"practice-1" does not support insert. Send no suffix.',
  },
  {
    title: 'a context that is a text',
    path: 'generate',
    change: { context: 'a' },
    message: 'context must be an array.',
  },
  {
    title: 'a context of texts',
    path: 'generate',
    change: { context: ['a'] },
    message: 'context[0] must be an integer.',
  },
  {
    title: 'an unknown model',
    path: 'embed',
    change: { model: 'llama3.2' },
    message: "model 'llama3.2' not found. GET /api/tags lists the models.",
    status: 404,
  },
  {
    title: 'an input that is a number',
    path: 'embed',
    change: { input: 5 },
    message: 'input must be a string, or at most 2048 strings.',
  },
  {
    title: 'an input of numbers',
    path: 'embed',
    change: { input: [1] },
    message: 'input must be a string, or at most 2048 strings.',
  },
  {
    title: 'dimensions as a text',
    path: 'embed',
    change: { dimensions: '8' },
    message: 'dimensions must be an integer.',
  },
  {
    title: 'a text that is too long',
    path: 'embed',
    change: { input: 'a '.repeat(9000), truncate: false },
    message: 'input has a text of more than 8192 tokens.',
  },
  { title: 'no model', path: 'show', change: { model: null }, message: 'model is required' },
  {
    title: 'an unknown model',
    path: 'show',
    change: { model: 'llama3.2' },
    message: "model 'llama3.2' not found. GET /api/tags lists the models.",
    status: 404,
  },
  {
    title: 'a model that is a list',
    path: 'show',
    change: { model: ['practice-1'] },
    message: 'model must be a string.',
  },
];
