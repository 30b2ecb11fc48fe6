/** Requests to the providers, each in a sandbox. */

import type { Kind } from '../../src/areas/llm/streams/broken-stream.js';
import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

export const openaiKey = 'sk-practice-openai';
export const anthropicKey = 'sk-practice-anthropic';
export const geminiKey = 'sk-practice-gemini';
export const quotaKey = 'sk-practice-quota';

export const user = (content: string) => ({ role: 'user', content });

export const weatherTool = {
  name: 'get_weather',
  description: 'Gets the weather of a city.',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
  },
};

export interface Sent {
  readonly sandbox?: string;
  /** Such as `?misbehave=reset`. */
  readonly query?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const pathOf = ({ sandbox = '' }: Sent, path: string) =>
  `${sandbox === '' ? '' : `/s/${sandbox}`}${path}`;

/** The three endpoints that continue a conversation, with their ways to write it. */
export const kinds = {
  chat: {
    path: '/llm/openai/v1/chat/completions',
    body: (text: string, extra: object = {}) => ({
      model: 'practice-1',
      messages: [user(text)],
      ...extra,
    }),
    tools: [
      {
        type: 'function',
        function: {
          name: weatherTool.name,
          description: weatherTool.description,
          parameters: weatherTool.schema,
        },
      },
    ],
  },
  responses: {
    path: '/llm/openai/v1/responses',
    body: (text: string, extra: object = {}) => ({ model: 'practice-1', input: text, ...extra }),
    tools: [
      {
        type: 'function',
        name: weatherTool.name,
        description: weatherTool.description,
        parameters: weatherTool.schema,
        strict: false,
      },
    ],
  },
  messages: {
    path: '/llm/anthropic/v1/messages',
    body: (text: string, extra: object = {}) => ({
      model: 'practice-1',
      max_tokens: 1000,
      messages: [user(text)],
      ...extra,
    }),
    tools: [
      {
        name: weatherTool.name,
        description: weatherTool.description,
        input_schema: weatherTool.schema,
      },
    ],
  },
} as const;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly KindName[];

const geminiPath = '/llm/gemini/v1beta/models/practice-1';
const ollamaPath = '/llm/ollama/api/chat';

/** Returns the path of a request, with its query. */
export function streamTarget(kind: Kind, isStream: boolean, query = ''): string {
  const own = kind === 'gemini' && isStream ? 'alt=sse' : '';
  const all = [own, query].filter((each) => each !== '').join('&');
  return `${pathFor(kind, isStream)}${all === '' ? '' : `?${all}`}`;
}

function pathFor(kind: Kind, isStream: boolean): string {
  if (kind === 'ollama') return ollamaPath;
  if (kind !== 'gemini') return kinds[kind].path;
  return `${geminiPath}:${isStream ? 'streamGenerateContent' : 'generateContent'}`;
}

export function streamBody(
  kind: Kind,
  text: string,
  isStream: boolean,
  extra: object = {},
): object {
  if (kind === 'gemini') return { contents: [{ parts: [{ text }] }], ...extra };
  if (kind === 'ollama') {
    return { model: 'practice-1', messages: [user(text)], stream: isStream, ...extra };
  }
  return kinds[kind].body(text, { stream: isStream, ...extra });
}

export function headersOf(kind: Kind, { key, headers = {} }: Sent) {
  if (kind === 'gemini') return { 'x-goog-api-key': key ?? geminiKey, ...headers };
  if (kind === 'ollama') return { ...headers };
  if (kind === 'messages') {
    return {
      'x-api-key': key ?? anthropicKey,
      'anthropic-version': '2023-06-01',
      ...headers,
    };
  }
  return { authorization: `Bearer ${key ?? openaiKey}`, ...headers };
}

export function ask(
  { send }: Pick<TestService, 'send'>,
  kind: KindName,
  json: unknown,
  sent: Sent = {},
  options: Pick<SendOptions, 'signal'> = {},
): Promise<HttpResponse> {
  const path = pathOf(sent, kinds[kind].path) + (sent.query ?? '');
  return send(`POST ${path}`, { json, headers: headersOf(kind, sent), ...options });
}

/** Returns the text of a response without a stream. */
export function textOf(kind: KindName, { json }: HttpResponse): string {
  if (kind === 'chat') return json.choices[0].message.content;
  if (kind === 'messages') return json.content.map((each: { text?: string }) => each.text).join('');
  const message = json.output.find(({ type }: { type: string }) => type === 'message');
  return message.content[0].text;
}

/** The tool about the weather, in the format of an endpoint. */
export function toolsOf(kind: Kind): readonly object[] {
  const { name, description, schema } = weatherTool;
  if (kind === 'gemini') {
    return [{ functionDeclarations: [{ name, description, parametersJsonSchema: schema }] }];
  }
  return kinds[kind === 'ollama' ? 'chat' : kind].tools;
}

export interface Asked {
  readonly text: string;
  readonly isStream?: boolean;
  /** Further members of the body. */
  readonly extra?: object;
}

/** Sends a prompt to any endpoint that continues a conversation. `query` begins with a question mark. */
export function askAt(
  { send }: Pick<TestService, 'send'>,
  kind: Kind,
  { text, isStream = false, extra = {} }: Asked,
  sent: Sent = {},
): Promise<HttpResponse> {
  const target = streamTarget(kind, isStream, (sent.query ?? '').slice(1));
  const json = streamBody(kind, text, isStream, extra);
  return send(`POST ${pathOf(sent, target)}`, { json, headers: headersOf(kind, sent) });
}

/** Returns the data of each event. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the events
export function eventsOf({ text }: Pick<HttpResponse, 'text'>): any[] {
  return text
    .split('\n\n')
    .map((block) => /^data: (.*)$/m.exec(block)?.[1])
    .filter((data) => data !== undefined && data !== '[DONE]')
    .map((data) => JSON.parse(String(data)));
}
