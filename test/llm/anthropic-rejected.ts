/** Requests that the Anthropic endpoints reject, and their errors. */

export interface Rejected {
  readonly title: string;
  /** Below the base URL. Default: `/messages`. */
  readonly path?: string;
  /** Replaces members of a right body; `undefined` removes one. */
  readonly change: Readonly<Record<string, unknown>>;
  readonly version?: string;
  /** Default: 400. */
  readonly status?: number;
  /** Default: `invalid_request_error`. */
  readonly type?: string;
  readonly message: string;
  /** Other members of the error. */
  readonly details?: object;
}

export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: unknown) => ({ role: 'assistant', content });
export const words = (text: string) => ({ type: 'text', text });
export const call = (id: string, input: unknown = {}) => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input,
});
export const result = (id: string, content: unknown = 'Rain') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
export const tool = (name: string, schema: object = { type: 'object' }) => ({
  name,
  input_schema: schema,
});

const older = '2023-06-01';
const thinks = { model: 'practice-1-thinking', max_tokens: 2000 };
const enabled = { type: 'enabled', budget_tokens: 1024 };
const block = (content: object) => ({ messages: [user([content])] });
const hello = user('Hello');

const fields: readonly Rejected[] = [
  {
    title: 'an unknown field',
    change: { n: 2 },
    message: 'n: This field is unknown; remove it.',
  },
  {
    title: 'MCP servers',
    change: { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'a' }] },
    message: 'mcp_servers: This field is not supported here; remove it.',
  },
  {
    title: 'a container',
    change: { container: 'c' },
    message: 'container: This field is not supported here; remove it.',
  },
  {
    title: 'edits of the context',
    change: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    message: 'context_management.edits: This field is not supported here; remove it.',
  },
  {
    title: 'an unknown field of the context management',
    change: { context_management: { edit: [] } },
    message: 'context_management.edit: This field is unknown; remove it.',
  },
  {
    title: 'fallbacks',
    change: { fallbacks: [{ model: 'practice-1' }] },
    message: 'fallbacks: This field is not supported here; remove it.',
  },
  {
    title: 'a task budget',
    change: { output_config: { task_budget: { type: 'tokens', total: 1000 } } },
    message: 'output_config.task_budget: This field is not supported here; remove it.',
  },
  {
    title: 'the fast mode',
    change: { speed: 'fast' },
    message: 'speed: Fast mode is not supported here; use "standard".',
  },
  {
    title: 'an unknown speed',
    change: { speed: 'slow' },
    message: 'speed: This must be one of "standard", "fast".',
  },
  {
    title: 'a profile that is a number',
    change: { user_profile_id: 5 },
    message: 'user_profile_id: This must be a string.',
  },
  ...[{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }].map((thread) => ({
    title: `a thread to ${thread.type}`,
    change: { thread, messages: thread.type === 'create' ? [hello] : [] },
    message: 'thread: Threads are not supported here; send all messages without this field.',
    details: { error_code: 'thread_unsupported_request', unsupported: [] },
  })),
  {
    title: 'no model',
    change: { model: undefined },
    message: 'model: This field is required; it must be a string that is not empty.',
  },
  {
    title: 'an unknown model',
    change: { model: 'claude-unknown' },
    status: 404,
    type: 'not_found_error',
    message: 'model: Unknown model; use one of practice-1, practice-1-thinking, practice-1-small.',
  },
  {
    title: 'a model with the name of a method',
    change: { model: 'toString' },
    status: 404,
    type: 'not_found_error',
    message: 'model: Unknown model; use one of practice-1, practice-1-thinking, practice-1-small.',
  },
  {
    title: 'no max_tokens',
    change: { max_tokens: undefined },
    message: 'max_tokens: This field is required; it must be an integer from 1 to 16384.',
  },
  {
    title: 'max_tokens of 0',
    change: { max_tokens: 0 },
    message: 'max_tokens: This must be an integer from 1 to 16384.',
  },
  {
    title: 'max_tokens as a string',
    change: { max_tokens: '100' },
    message: 'max_tokens: This must be an integer from 1 to 16384.',
  },
  {
    title: 'max_tokens above the limit of the model',
    change: { model: 'practice-1-small', max_tokens: 501 },
    message: 'max_tokens: This must be an integer from 1 to 500.',
  },
  {
    title: 'a temperature above 1',
    version: older,
    change: { temperature: 1.5 },
    message: 'temperature: This must be a number from 0 to 1.',
  },
  {
    title: 'a temperature in the newer version',
    change: { temperature: 1 },
    message: 'temperature: This field is unknown; remove it.',
  },
  {
    title: 'a top_k that is no integer',
    version: older,
    change: { top_k: 1.5 },
    message: 'top_k: This must be an integer of at least 0.',
  },
  {
    title: 'a top_p below 0',
    version: older,
    change: { top_p: -0.1 },
    message: 'top_p: This must be a number from 0 to 1.',
  },
  {
    title: 'stream as a string',
    change: { stream: 'true' },
    message: 'stream: This must be true or false.',
  },
  {
    title: 'a blank stop sequence',
    change: { stop_sequences: ['END', '\n'] },
    message: 'stop_sequences.1: This must be a string with more than white space.',
  },
  {
    title: 'an unknown field of metadata',
    change: { metadata: { user: 'ann' } },
    message: 'metadata.user: This field is unknown; remove it.',
  },
  {
    title: 'an unknown service tier',
    change: { service_tier: 'priority' },
    message: 'service_tier: This must be one of "auto", "standard_only".',
  },
  {
    title: 'a system prompt with an image',
    change: { system: [{ type: 'image', source: {} }] },
    message: 'system.0: This must be "text".',
  },
  {
    title: 'an unknown format',
    change: { output_config: { format: { type: 'json_object' } } },
    message: 'output_config.format.type: This must be "json_schema".',
  },
  {
    title: 'a format whose schema has an unknown keyword',
    change: { output_config: { format: { type: 'json_schema', schema: { kind: 1 } } } },
    message:
      'output_config.format.schema.kind: This is not a supported keyword of JSON Schema draft 2020-12.',
  },
  {
    title: 'max_tokens where tokens are only counted',
    path: '/messages/count_tokens',
    change: {},
    message: 'max_tokens: This field is unknown; remove it.',
  },
];

const messages: readonly Rejected[] = [
  {
    title: 'no messages',
    change: { messages: undefined },
    message: 'messages: This field is required; it must be an array.',
  },
  {
    title: 'an empty list of messages',
    change: { messages: [] },
    message: 'messages: At least one message is required.',
  },
  {
    title: 'a message that is a string',
    change: { messages: ['Hello'] },
    message: 'messages.0: This must be an object.',
  },
  {
    title: 'an unknown field of a message',
    change: { messages: [{ ...hello, name: 'ann' }] },
    message: 'messages.0.name: This field is unknown; remove it.',
  },
  {
    title: 'an unknown role',
    change: { messages: [{ role: 'tool', content: 'Rain' }] },
    message: 'messages.0.role: This must be one of "user", "assistant", "system".',
  },
  {
    title: 'a first message of the assistant',
    change: { messages: [assistant('Hello')] },
    message: 'messages.0.role: The first message must be "user".',
  },
  {
    title: 'no content',
    change: { messages: [{ role: 'user' }] },
    message:
      'messages.0.content: This field is required; it must be a string or an array of blocks.',
  },
  {
    title: 'empty content',
    change: { messages: [user('')] },
    message:
      'messages.0.content: This must have content; only the last assistant message may be empty.',
  },
  {
    title: 'an empty text block',
    change: block(words('')),
    message: 'messages.0.content.0.text.text: This must be a string with more than white space.',
  },
  {
    title: 'a block of an unknown type',
    change: block({ type: 'input_text', text: 'Hello' }),
    message:
      'messages.0.content.0: This must be one of "text", "image", "document", "tool_result".',
  },
  {
    title: 'an unknown field of a block',
    change: block({ ...words('Hello'), foo: 1 }),
    message: 'messages.0.content.0.text.foo: This field is unknown; remove it.',
  },
  {
    title: 'an unknown cache lifetime',
    change: block({ ...words('Hello'), cache_control: { type: 'ephemeral', ttl: '1d' } }),
    message: 'messages.0.content.0.text.cache_control.ttl: This must be one of "5m", "1h".',
  },
  {
    title: 'an image of an unknown type',
    change: block({
      type: 'image',
      source: { type: 'base64', media_type: 'image/bmp', data: 'Qk0=' },
    }),
    message:
      'messages.0.content.0.image.source.base64.media_type: This must be one of "image/jpeg", "image/png", "image/gif", "image/webp".',
  },
  {
    title: 'an image that is not base64',
    change: block({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'data:image/png' },
    }),
    message: 'messages.0.content.0.image.source.base64.data: This must be base64.',
  },
  {
    title: 'a PDF',
    change: block({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
    }),
    message: 'messages.0.content.0.document.source: This must be one of "text", "content".',
  },
  {
    title: 'citations in a text of the user',
    change: block({ ...words('Hello'), citations: [{}] }),
    message: 'messages.0.content.0.text.citations: Texts of users must have no citations.',
  },
  {
    title: 'white space at the end of the last assistant message',
    change: { messages: [hello, assistant('Yes, ')] },
    message: 'messages.1.content: The last assistant message must not end with white space.',
  },
  {
    title: 'a prompt beyond the context',
    change: { model: 'practice-1-small', messages: [user('word '.repeat(1100))] },
    message: 'The prompt is too long: it has 1105 tokens; 1000 are allowed.',
  },
  {
    title: 'a prompt and a limit beyond the context',
    change: { model: 'practice-1-small', max_tokens: 500, messages: [user('word '.repeat(600))] },
    message: 'max_tokens: The context is 1000 tokens; you requested 605 + 500.',
  },
];

const pairs: readonly Rejected[] = [
  {
    title: 'a result without a call',
    change: { messages: [user([result('toolu_1')])] },
    message: 'messages.0.content.0.tool_use_id: The previous message has no tool_use with this id.',
  },
  {
    title: 'a call without a result',
    change: { messages: [hello, assistant([call('toolu_1')]), user('Well?')] },
    message: 'messages.1.content.0: The next message must have a tool_result for this tool_use.',
  },
  {
    title: 'a call in the last message',
    change: { messages: [hello, assistant([call('toolu_1')])] },
    message: 'messages.1.content.0: The next message must have a tool_result for this tool_use.',
  },
  {
    title: 'one result for two calls',
    change: {
      messages: [hello, assistant([call('toolu_1'), call('toolu_2')]), user([result('toolu_1')])],
    },
    message: 'messages.1.content.1: The next message must have a tool_result for this tool_use.',
  },
  {
    title: 'a result after text',
    change: {
      messages: [hello, assistant([call('toolu_1')]), user([words('Here'), result('toolu_1')])],
    },
    message: 'messages.2.content.1: Results out of place: they must come before other content.',
  },
  {
    title: 'two results for one call',
    change: {
      messages: [hello, assistant([call('toolu_1')]), user([result('toolu_1'), result('toolu_1')])],
    },
    message: 'messages.2.content.1.tool_use_id: Another tool_result has the same id.',
  },
  {
    title: 'two calls with one id',
    change: {
      messages: [hello, assistant([call('toolu_1'), call('toolu_1')]), user([result('toolu_1')])],
    },
    message: 'messages.1.content.1.id: Another tool_use has the same id.',
  },
  {
    title: 'a call by the user',
    change: { messages: [user([call('toolu_1')])] },
    message:
      'messages.0.content.0: This must be one of "text", "image", "document", "tool_result".',
  },
  {
    title: 'a call whose input is JSON text',
    change: { messages: [hello, assistant([call('toolu_1', '{}')])] },
    message: 'messages.1.content.0.tool_use.input: This must be an object.',
  },
  {
    title: 'a call with an id that has a space',
    change: { messages: [hello, assistant([call('toolu 1')])] },
    message: 'messages.1.content.0.tool_use.id: This must be an id of letters, digits, _ and -.',
  },
  {
    title: 'a result that is an object',
    change: {
      messages: [hello, assistant([call('toolu_1')]), user([result('toolu_1', { rain: true })])],
    },
    message:
      'messages.2.content.0.tool_result.content: This must be a string or an array of blocks.',
  },
];

const tools: readonly Rejected[] = [
  {
    title: 'a tool name with a space',
    change: { tools: [tool('get weather')] },
    message: 'tools.0.custom.name: This must be 1 to 64 letters, digits, _ or -.',
  },
  {
    title: 'two tools with one name',
    change: { tools: [tool('weather'), tool('weather')] },
    message: 'tools: Two tools have the same name.',
  },
  {
    title: 'a tool in the format of OpenAI',
    change: { tools: [{ type: 'function', function: tool('weather') }] },
    message: 'tools.0: Server tools are not supported; use "custom".',
  },
  {
    title: 'a server tool',
    change: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    message: 'tools.0: Server tools are not supported; use "custom".',
  },
  {
    title: 'a tool without a schema',
    change: { tools: [{ name: 'weather' }] },
    message: 'tools.0.custom.input_schema: This field is required; it must be an object.',
  },
  {
    title: 'a schema without a type',
    change: { tools: [tool('weather', {})] },
    message: 'tools.0.custom.input_schema.type: This field is required; it must be "object".',
  },
  {
    title: 'a schema with an unknown keyword',
    change: { tools: [tool('weather', { type: 'object', properties: { city: { kind: 1 } } })] },
    message:
      'tools.0.custom.input_schema.properties.city.kind: This is not a supported keyword of JSON Schema draft 2020-12.',
  },
  {
    title: 'a schema with a malformed reference',
    change: {
      tools: [tool('weather', { type: 'object', properties: { a: { $ref: '#/$defs/a~' } } })],
    },
    message:
      'tools.0.custom.input_schema.properties.a.$ref: This has "~" at character 10: 0 or 1 must follow ~, as in ~0 for ~ and ~1 for /.',
  },
  {
    title: 'schemas with many Unicode classes',
    change: {
      tools: Array.from({ length: 9 }, (_, n) =>
        tool(`weather${n}`, {
          type: 'object',
          properties: { a: { pattern: `[${'\\p{L}'.repeat(150)}]${n}` } },
        }),
      ),
    },
    message:
      'tools: The schemas have more than 2000 parts; each keyword, list item and name is one, a pattern more.',
  },
  {
    title: 'a choice of an absent tool',
    change: { tools: [tool('weather')], tool_choice: { type: 'tool', name: 'time' } },
    message: 'tool_choice.tool.name: No tool has this name; use a name from tools.',
  },
  {
    title: 'a choice as a string',
    change: { tools: [tool('weather')], tool_choice: 'auto' },
    message: 'tool_choice: This must be an object.',
  },
  {
    title: 'a choice of an unknown type',
    change: { tools: [tool('weather')], tool_choice: { type: 'required' } },
    message: 'tool_choice: This must be one of "auto", "any", "tool", "none".',
  },
  {
    title: 'a choice without tools',
    change: { tool_choice: { type: 'any' } },
    message: 'tool_choice: This field requires tools.',
  },
];

const thinking: readonly Rejected[] = [
  {
    title: 'thinking with a model that does not think',
    change: { max_tokens: 2000, thinking: enabled },
    message: 'thinking: This model does not think; use practice-1-thinking.',
  },
  {
    title: 'a budget below 1024',
    change: { ...thinks, thinking: { type: 'enabled', budget_tokens: 1000 } },
    message: 'thinking.enabled.budget_tokens: This must be an integer of at least 1024.',
  },
  {
    title: 'a budget that is not less than max_tokens',
    change: { ...thinks, max_tokens: 1024, thinking: enabled },
    message: 'thinking.enabled.budget_tokens: This must be less than max_tokens, which is 1024.',
  },
  {
    title: 'a budget without a type',
    change: { ...thinks, thinking: { budget_tokens: 1024 } },
    message:
      'thinking: This field is required; it must be one of "enabled", "adaptive", "disabled".',
  },
  {
    title: 'a tool choice with thinking',
    change: {
      ...thinks,
      thinking: enabled,
      tools: [tool('weather')],
      tool_choice: { type: 'any' },
    },
    message: 'tool_choice: With thinking, this must be "auto" or "none".',
  },
  {
    title: 'a temperature with thinking',
    version: older,
    change: { ...thinks, thinking: enabled, temperature: 0.5 },
    message: 'temperature: With thinking, this must be 1.',
  },
  {
    title: 'a last message of the assistant with thinking',
    change: { ...thinks, thinking: enabled, messages: [hello, assistant('I')] },
    message: 'messages.1: With thinking, the last message must be from the user.',
  },
  {
    title: 'an altered thinking block',
    change: {
      messages: [
        hello,
        assistant([{ type: 'thinking', thinking: 'Hm.', signature: 'AAAA' }, words('Hi')]),
        hello,
      ],
    },
    message: 'messages.1.content.0: The thinking was altered; send the block as received.',
  },
  {
    title: 'a thinking block without its signature',
    change: {
      messages: [hello, assistant([{ type: 'thinking', thinking: 'Hm.' }, words('Hi')]), hello],
    },
    message:
      'messages.1.content.0.thinking.signature: This field is required; it must be a string.',
  },
  {
    title: 'a call without its thinking block',
    change: {
      ...thinks,
      thinking: enabled,
      messages: [hello, assistant([call('toolu_1')]), user([result('toolu_1')])],
    },
    message:
      'messages.1.content.0: With thinking, a message with tool_use must begin with its thinking.',
  },
];

export const rejected = [...fields, ...messages, ...pairs, ...tools, ...thinking];
