/** Requests of hand-written clients, in the format of each endpoint. */

import type { Kind } from '../../../src/areas/llm/streams/broken-stream.js';

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Content that a client has read. */
export interface Fragment {
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface Dialect {
  /** The end of the base URL, such as `openai/v1`. */
  readonly base: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the first request. */
  readonly first: (prompt: string, hasTool: boolean) => object;
  /** Body of the request that continues a fragment. */
  readonly next: (prompt: string, hasTool: boolean, fragment: Fragment, result: string) => object;
}

const name = 'get_weather';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const thanks = { role: 'user', content: 'Thanks' };

const openai = {
  base: 'openai/v1',
  headers: { Authorization: 'Bearer sk-practice-openai' },
} as const;

const chatBody = (hasTool: boolean, messages: readonly object[]) => ({
  ...{ model: 'practice-1', stream: true, stream_options: { include_usage: true }, messages },
  ...(hasTool && { tools: [{ type: 'function', function: { name, parameters } }] }),
});

const responsesBody = (hasTool: boolean, input: readonly object[]) => ({
  ...{ model: 'practice-1', stream: true, input },
  ...(hasTool && { tools: [{ type: 'function', name, parameters }] }),
});

const messagesBody = (hasTool: boolean, messages: readonly object[]) => ({
  ...{ model: 'practice-1', max_tokens: 1000, stream: true, messages },
  ...(hasTool && { tools: [{ name, input_schema: parameters }] }),
});

const user = (content: string) => ({ role: 'user', content });

const chat: Dialect = {
  ...openai,
  path: '/chat/completions',
  first: (prompt, hasTool) => chatBody(hasTool, [user(prompt)]),
  next(prompt, hasTool, { text, calls }, result) {
    const sent = calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
    const reply = { role: 'assistant', content: text || null };
    const isEmpty = text === '' && calls.length === 0;
    return chatBody(hasTool, [
      user(prompt),
      ...(isEmpty ? [] : [{ ...reply, ...(calls.length > 0 && { tool_calls: sent }) }]),
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: result })),
      ...(calls.length > 0 ? [] : [thanks]),
    ]);
  },
};

const responses: Dialect = {
  ...openai,
  path: '/responses',
  first: (prompt, hasTool) => responsesBody(hasTool, [user(prompt)]),
  next: (prompt, hasTool, { text, calls }, result) =>
    responsesBody(hasTool, [
      user(prompt),
      ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
      ...calls.flatMap(({ id, ...called }) => [
        { type: 'function_call', call_id: id, ...called },
        { type: 'function_call_output', call_id: id, output: result },
      ]),
      ...(calls.length > 0 ? [] : [thanks]),
    ]),
};

const messages: Dialect = {
  base: 'anthropic/v1',
  path: '/messages',
  headers: { 'X-Api-Key': 'sk-practice-anthropic', 'Anthropic-Version': '2023-06-01' },
  first: (prompt, hasTool) => messagesBody(hasTool, [user(prompt)]),
  next(prompt, hasTool, { text, calls }, result) {
    const content = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({
        ...{ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call) },
      })),
    ];
    const results = calls.map(({ id }) => ({
      ...{ type: 'tool_result', tool_use_id: id, content: result },
    }));
    return messagesBody(hasTool, [
      user(prompt),
      ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
      calls.length > 0 ? { role: 'user', content: results } : thanks,
    ]);
  },
};

const geminiBody = (hasTool: boolean, contents: readonly object[]) => ({
  contents,
  ...(hasTool && {
    tools: [{ functionDeclarations: [{ name, parametersJsonSchema: parameters }] }],
  }),
});

const userParts = (...parts: readonly object[]) => ({ role: 'user', parts });

const gemini: Dialect = {
  base: 'gemini/v1beta',
  path: '/models/practice-1:streamGenerateContent?alt=sse',
  headers: { 'X-Goog-Api-Key': 'sk-practice-gemini' },
  first: (prompt, hasTool) => geminiBody(hasTool, [userParts({ text: prompt })]),
  next(prompt, hasTool, { text, calls }, result) {
    const parts = [
      ...(text === '' ? [] : [{ text }]),
      ...calls.map((call) => ({ functionCall: { name: call.name, args: inputOf(call) } })),
    ];
    const responses = calls.map((call) => ({
      functionResponse: { name: call.name, response: { output: result } },
    }));
    return geminiBody(hasTool, [
      userParts({ text: prompt }),
      ...(parts.length === 0 ? [] : [{ role: 'model', parts }]),
      responses.length > 0 ? userParts(...responses) : userParts({ text: 'Thanks' }),
    ]);
  },
};

const ollamaBody = (hasTool: boolean, messages: readonly object[]) => ({
  ...{ model: 'practice-1', messages },
  ...(hasTool && { tools: [{ type: 'function', function: { name, parameters } }] }),
});

const ollama: Dialect = {
  ...{ base: 'ollama/api', path: '/chat', headers: {} },
  first: (prompt, hasTool) => ollamaBody(hasTool, [user(prompt)]),
  next(prompt, hasTool, { text, calls }, result) {
    const sent = calls.map((call) => ({
      function: { name: call.name, arguments: inputOf(call) },
    }));
    const isEmpty = text === '' && calls.length === 0;
    return ollamaBody(hasTool, [
      user(prompt),
      ...(isEmpty ? [] : [{ role: 'assistant', content: text, tool_calls: sent }]),
      ...calls.map((call) => ({ role: 'tool', tool_name: call.name, content: result })),
      ...(calls.length > 0 ? [] : [thanks]),
    ]);
  },
};

/** Returns an empty object for arguments that are not an object. */
function inputOf(call: Call): unknown {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export const dialects: Readonly<Record<Kind, Dialect>> = {
  ...{ chat, responses, messages, gemini, ollama },
};
