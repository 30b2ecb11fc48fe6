/** Conversations with Gemini and Ollama: turns, bodies and responses in the format of each. */

import type { HttpResponse } from '../../support/service.js';
import { eventsOf } from '../llm.js';

export interface Called {
  readonly name: string;
  readonly args: object;
}

export interface Talk {
  /** Path of a request, below the base URL of a run, which has no version. */
  readonly path: (isStream: boolean) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly user: (text: string) => object;
  readonly model: (text: string) => object;
  readonly call: (called: Called) => object;
  /** Only Gemini can mark an error. */
  readonly result: (name: string, text: string, isError?: boolean) => object;
  readonly tool: (name: string, parameters: object) => object;
  readonly body: (turns: readonly object[], options: TalkOptions) => object;
  /** Parts of a response, or of a stream of any form. */
  readonly textIn: (part: Part) => string;
  readonly parts: (response: HttpResponse) => readonly Part[];
}

export interface TalkOptions {
  readonly isStream?: boolean;
  readonly tools?: readonly object[];
  readonly seed?: number;
  readonly model?: string;
}

type Part = ReturnType<typeof eventsOf>[number];

const usual = 'practice-1';

const gemini: Talk = {
  path: (isStream) =>
    `/v1beta/models/${usual}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: { 'x-goog-api-key': 'sk-practice-gemini' },
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  model: (text) => ({ role: 'model', parts: [{ text }] }),
  call: (functionCall) => ({ role: 'model', parts: [{ functionCall }] }),
  result: (name, text, isError = false) => ({
    role: 'user',
    parts: [{ functionResponse: { name, response: { [isError ? 'error' : 'output']: text } } }],
  }),
  tool: (name, parametersJsonSchema) => ({
    functionDeclarations: [{ name, description: 'Weather.', parametersJsonSchema }],
  }),
  body: (contents, { tools, seed }) => ({
    contents,
    ...(tools && { tools }),
    ...(seed !== undefined && { generationConfig: { seed } }),
  }),
  textIn: ({ candidates }) =>
    candidates?.[0]?.content.parts.map(({ text = '' }) => text).join('') ?? '',
  parts: (response) => (response.text.startsWith('{') ? [response.json] : eventsOf(response)),
};

const ollama: Talk = {
  path: () => '/api/chat',
  headers: {},
  user: (content) => ({ role: 'user', content }),
  model: (content) => ({ role: 'assistant', content }),
  call: ({ name, args }) => ({
    ...{ role: 'assistant', content: '' },
    tool_calls: [{ function: { name, arguments: args } }],
  }),
  result: (name, content) => ({ role: 'tool', tool_name: name, content }),
  tool: (name, parameters) => ({
    type: 'function',
    function: { name, description: 'Weather.', parameters },
  }),
  body: (messages, { isStream = false, tools, seed, model = usual }) => ({
    ...{ model, messages, stream: isStream },
    ...(tools && { tools }),
    ...(seed !== undefined && { options: { seed } }),
  }),
  textIn: ({ message }) => message?.content ?? '',
  parts: ({ text }) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
};

export const talks = { gemini, ollama } as const;

export type TalkName = keyof typeof talks;

/** Returns the text of a response, or of a stream. */
export function textOf(name: TalkName, response: HttpResponse): string {
  const { parts, textIn } = talks[name];
  return parts(response).map(textIn).join('');
}
