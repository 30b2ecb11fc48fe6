/** Requests to both providers, each in a sandbox. */

import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

export const openaiKey = 'sk-practice-openai';
export const anthropicKey = 'sk-practice-anthropic';
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

export function headersOf(kind: KindName, { key, headers = {} }: Sent) {
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

/** Returns the data of each event. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the events
export function eventsOf({ text }: Pick<HttpResponse, 'text'>): any[] {
  return text
    .split('\n\n')
    .map((block) => /^data: (.*)$/m.exec(block)?.[1])
    .filter((data) => data !== undefined && data !== '[DONE]')
    .map((data) => JSON.parse(String(data)));
}
