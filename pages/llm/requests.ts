/** Requests of each endpoint, with a prompt. */

import { anthropicKey, type BaseUrls, geminiKey, openaiKey } from './sdks.js';

export type EndpointName = 'chat' | 'responses' | 'messages' | 'gemini' | 'ollama';

export interface Prompt {
  readonly endpoint: EndpointName;
  readonly model: string;
  readonly text: string;
  readonly hasTool: boolean;
  /** Such as `?misbehave=reset&at=text`. */
  readonly search: string;
}

export interface ModelRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const name = 'get_weather';
const description = 'Returns the weather of a city.';
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
const functionTool = { name, description, parameters: schema };

export function requestOf(prompt: Prompt, urls: BaseUrls): ModelRequest {
  const { openai, anthropic, gemini, ollama } = urls;
  const { endpoint, model, search } = prompt;
  const json = { 'Content-Type': 'application/json' };
  if (endpoint === 'messages') {
    return {
      url: `${anthropic}/v1/messages${search}`,
      headers: {
        ...json,
        'X-Api-Key': anthropicKey,
        'Anthropic-Version': '2023-06-01',
      },
      body: messageBody(prompt),
    };
  }
  if (endpoint === 'gemini') {
    return {
      url: `${gemini}/v1beta/models/${model}:streamGenerateContent?alt=sse${search.replace('?', '&')}`,
      headers: { ...json, 'X-Goog-Api-Key': geminiKey },
      body: geminiBody(prompt),
    };
  }
  if (endpoint === 'ollama') {
    return { url: `${ollama}/api/chat${search}`, headers: json, body: ollamaBody(prompt) };
  }
  const headers = { ...json, Authorization: `Bearer ${openaiKey}` };
  return endpoint === 'responses'
    ? { url: `${openai}/responses${search}`, headers, body: responseBody(prompt) }
    : { url: `${openai}/chat/completions${search}`, headers, body: chatBody(prompt) };
}

const messagesOf = (text: string) => [{ role: 'user', content: text }];

const chatBody = ({ model, text, hasTool }: Prompt) => ({
  model,
  stream: true,
  stream_options: { include_usage: true },
  messages: messagesOf(text),
  ...(hasTool && {
    tools: [{ type: 'function', function: functionTool }],
    tool_choice: 'required',
  }),
});

const responseBody = ({ model, text, hasTool }: Prompt) => ({
  model,
  stream: true,
  input: text,
  ...(hasTool && {
    tools: [{ type: 'function', strict: true, ...functionTool }],
    tool_choice: 'required',
  }),
});

const geminiBody = ({ text, hasTool }: Prompt) => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  ...(hasTool && {
    tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  }),
});

/** Ollama cannot require a call, so the prompt names the tool. */
const ollamaBody = ({ model, text, hasTool }: Prompt) => ({
  model,
  messages: messagesOf(hasTool ? `${text}\nCall ${name}.` : text),
  ...(hasTool && { tools: [{ type: 'function', function: functionTool }] }),
});

const messageBody = ({ model, text, hasTool }: Prompt) => ({
  model,
  stream: true,
  max_tokens: 400,
  messages: messagesOf(text),
  ...(hasTool && {
    tools: [{ name, description, input_schema: schema }],
    tool_choice: { type: 'any' },
  }),
});
