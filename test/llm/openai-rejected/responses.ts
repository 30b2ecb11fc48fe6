/** Wrong settings and tools of responses. */

import { chatTool, hello, type Rejected } from './rejected.js';

const tool = (change: object = {}) => ({ type: 'function', name: 'weather', ...change });

export const wrongResponses: readonly Rejected[] = [
  {
    title: 'the model of embeddings',
    change: { model: 'practice-embed' },
    status: 404,
    param: 'model',
    code: 'model_not_found',
    message: "'practice-embed' writes no text; use practice-1.",
  },
  {
    title: 'a context to compact',
    change: { context_management: [{ type: 'compaction' }] },
    param: 'context_management',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'context_management'. Use 'truncation'.",
  },
  {
    title: 'messages of a chat',
    change: { messages: [hello] },
    param: 'messages',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'messages'. Use 'input'.",
  },
  {
    title: 'the token limit of a chat',
    change: { max_tokens: 20 },
    param: 'max_tokens',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'max_tokens'. Use 'max_output_tokens'.",
  },
  {
    title: 'the format of a chat',
    change: { response_format: { type: 'text' } },
    param: 'response_format',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'response_format'. Use 'text.format'.",
  },
  {
    title: 'a stop sequence',
    change: { stop: 'x' },
    param: 'stop',
    code: 'unknown_parameter',
    message: "Unknown parameter: 'stop'.",
  },
  {
    title: '15 tokens',
    change: { max_output_tokens: 15 },
    param: 'max_output_tokens',
    code: 'integer_below_min_value',
    message: "Invalid 'max_output_tokens': it must be at least 16.",
  },
  {
    title: 'more tokens than the model has',
    change: { max_output_tokens: 17_000 },
    param: 'max_output_tokens',
    code: 'integer_above_max_value',
    message: "Invalid 'max_output_tokens': practice-1 writes at most 16384 tokens.",
  },
  {
    title: 'input above the context',
    change: { model: 'practice-1-small', input: 'word '.repeat(1001) },
    param: 'input',
    code: 'context_length_exceeded',
    message: 'The context of practice-1-small is 1000 tokens; you requested 1006.',
  },
  {
    title: 'an unknown previous response',
    change: { previous_response_id: 'resp_unknown' },
    param: 'previous_response_id',
    code: 'previous_response_not_found',
    message: "Unknown previous response 'resp_unknown'.",
  },
  {
    title: 'a built-in tool',
    change: { tools: [{ type: 'mcp' }] },
    param: 'tools[0].type',
    code: 'invalid_value',
    message:
      "Invalid value 'mcp' for 'tools[0].type': use 'function', 'namespace', 'custom', 'local_shell', 'web_search', 'tool_search'.",
  },
  {
    title: 'a tool of a chat',
    change: { tools: [chatTool()] },
    param: 'tools[0].name',
    code: 'missing_required_parameter',
    message: "Parameter 'tools[0].name' is required.",
  },
  {
    title: 'parameters that are no object',
    change: { tools: [tool({ parameters: { type: 'array' } })] },
    param: 'tools[0].parameters',
    code: 'invalid_function_parameters',
    message: "Invalid schema 'tools[0].parameters': its type must be 'object'.",
  },
  {
    title: 'a choice of an absent tool',
    change: { tools: [tool()], tool_choice: { type: 'function', name: 'news' } },
    param: 'tool_choice',
    code: null,
    message: "Tool choice 'news' is not in 'tools'.",
  },
  {
    title: 'a required choice without tools',
    change: { tool_choice: 'required' },
    param: 'tool_choice',
    code: null,
    message: "Invalid 'tool_choice': required needs at least one tool in 'tools'.",
  },
  {
    title: 'a strict schema that allows others',
    change: {
      text: {
        format: {
          type: 'json_schema',
          name: 'x',
          strict: true,
          schema: { type: 'object', properties: {} },
        },
      },
    },
    param: 'text.format.schema',
    code: 'invalid_json_schema',
    message: "Invalid schema 'text.format.schema': strict schemas need additionalProperties false.",
  },
  {
    title: 'JSON without the word',
    change: { text: { format: { type: 'json_object' } } },
    param: 'input',
    code: null,
    message: "The input must contain the word 'json' for the format json_object.",
  },
  {
    title: 'effort of a model that does not think',
    change: { reasoning: { effort: 'low' } },
    param: 'reasoning.effort',
    code: 'unsupported_parameter',
    message:
      "Unsupported parameter: 'reasoning.effort'. practice-1 does not think; use practice-1-thinking.",
  },
  {
    title: 'a summary of a model that does not think',
    change: { reasoning: { summary: 'auto' } },
    param: 'reasoning.summary',
    code: 'unsupported_parameter',
    message:
      "Unsupported parameter: 'reasoning.summary'. practice-1 does not think; use practice-1-thinking.",
  },
  {
    title: 'an unknown summary',
    change: { model: 'practice-1-thinking', reasoning: { summary: 'long' } },
    param: 'reasoning.summary',
    code: 'invalid_value',
    message: "Invalid value 'long' for 'reasoning.summary': use 'auto', 'concise', 'detailed'.",
  },
  {
    title: 'too many alternatives of each token',
    change: { include: ['message.output_text.logprobs'], top_logprobs: 21 },
    param: 'top_logprobs',
    code: 'integer_above_max_value',
    message: "Invalid 'top_logprobs': it must be at most 20.",
  },
  {
    title: 'an unknown truncation',
    change: { truncation: 'middle' },
    param: 'truncation',
    code: 'invalid_value',
    message: "Invalid value 'middle' for 'truncation': use 'auto', 'disabled'.",
  },
  {
    title: 'background without storage',
    change: { background: true, store: false },
    param: 'background',
    code: null,
    message: "'background' needs 'store': true.",
  },
  {
    title: 'background and a stream',
    change: { background: true, stream: true },
    param: 'background',
    code: 'unsupported_value',
    message: "Use 'background' or 'stream', not both.",
  },
  {
    title: 'a conversation',
    change: { conversation: 'conv_1' },
    param: 'conversation',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'conversation'. Use 'previous_response_id'.",
  },
];
