/** Clients of the Model Context Protocol for tests, without a library. */

import { expect } from 'vitest';
import { type HttpResponse, send, type TestService } from '../support/service.js';

export const modern = '2026-07-28';

const both = 'application/json, text/event-stream';

export interface MessageOptions {
  readonly path?: string;
  /** Replace the usual headers; `undefined` omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly capabilities?: object;
  readonly meta?: object;
  readonly id?: string | number;
  /** Changes the message. */
  readonly message?: (message: object) => object;
  /** Replaces the message. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
type Json = any;

export interface Sent extends HttpResponse {
  /** Messages of the stream, or the response. */
  readonly messages: readonly Json[];
}

function withMessages(response: HttpResponse): Sent {
  const { text } = response;
  const isStream = response.headers['content-type']?.startsWith('text/event-stream');
  const isJson = response.headers['content-type']?.startsWith('application/json');
  const json = isJson ? JSON.parse(text) : undefined;
  return Object.defineProperties(response, {
    json: { value: json },
    messages: { value: isStream ? messagesIn(text) : [json].filter(Boolean) },
  }) as Sent;
}

export function messagesIn(stream: string): readonly Json[] {
  return [...stream.matchAll(/^data: (.+)\n(?=\n)/gm)].map(([, data = '']) => JSON.parse(data));
}

const definedOf = (headers: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Sends a request of revision 2026-07-28 with the headers that mirror it. */
export async function request(
  { url }: Pick<TestService, 'url'>,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: MessageOptions = {},
): Promise<Sent> {
  const { path = '/mcp', headers = {}, capabilities = {}, meta = {}, id = 1 } = options;
  const { message = (each) => each, body, signal } = options;
  const name = params.name ?? params.uri ?? params.taskId;
  const response = await send(url, `POST ${path}`, {
    headers: definedOf({
      accept: both,
      'content-type': 'application/json',
      'mcp-protocol-version': modern,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    }),
    ...(signal && { signal }),
    body:
      body ??
      JSON.stringify(
        message({
          jsonrpc: '2.0',
          id,
          method,
          params: {
            ...params,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': modern,
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': capabilities,
              ...meta,
            },
          },
        }),
      ),
  });
  return withMessages(response);
}

/** Calls a tool, and returns the result. */
export async function callTool(
  service: Pick<TestService, 'url'>,
  name: string,
  args: object = {},
  options: MessageOptions & { readonly params?: object } = {},
): Promise<Json> {
  const { params = {}, ...others } = options;
  const { messages } = await request(
    service,
    'tools/call',
    { name, arguments: args, ...params },
    others,
  );
  return messages.at(-1).result;
}

/** A session of an older revision. */
export class Session {
  readonly #url: string;
  readonly #path: string;
  readonly id: string;
  readonly revision: string;
  readonly result: Json;
  #next = 1;

  constructor(url: string, path: string, id: string, result: Json) {
    this.#url = url;
    this.#path = path;
    this.id = id;
    this.result = result;
    this.revision = result.protocolVersion;
  }

  get headers(): Readonly<Record<string, string>> {
    return {
      accept: both,
      'mcp-session-id': this.id,
      'mcp-protocol-version': this.revision,
    };
  }

  async send(json: unknown, headers: MessageOptions['headers'] = {}): Promise<Sent> {
    const options = { headers: definedOf({ ...this.headers, ...headers }), json };
    return withMessages(await send(this.#url, `POST ${this.#path}`, options));
  }

  request(method: string, params: object = {}): Promise<Sent> {
    return this.send({ jsonrpc: '2.0', id: this.#next++, method, params });
  }

  notify(method: string, params: object = {}): Promise<Sent> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  end(): Promise<HttpResponse> {
    return send(this.#url, `DELETE ${this.#path}`, { headers: this.headers });
  }
}

export async function openSession(
  { url }: Pick<TestService, 'url'>,
  revision: string,
  { path = '/mcp', capabilities = {} }: MessageOptions = {},
): Promise<Session> {
  const response = await send(url, `POST ${path}`, {
    headers: { accept: both },
    json: {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: revision,
        capabilities,
        clientInfo: { name: 'test', version: '1' },
      },
    },
  });
  expect(response.status).toBe(200);
  const id = String(response.headers['mcp-session-id']);
  const session = new Session(url, path, id, response.json.result);
  await session.notify('notifications/initialized');
  return session;
}
