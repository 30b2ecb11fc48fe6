/**
 * A fresh service for a test file, and requests to it that check the invariants of every response.
 */

import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  STATUS_CODES,
} from 'node:http';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Service, ServiceOptions } from '../../src/index.js';
import { createService } from './create-service.js';

export interface SendOptions {
  /** A list of pairs keeps the letter case and repetition of names. */
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  /** Sends this value as JSON, with its Content-Type. */
  readonly json?: unknown;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Every name and value in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly json: any;
}

export interface TestService {
  readonly url: string;
  /** For a service with TLS. */
  readonly tlsUrl?: string | undefined;
  /** `target` is "METHOD /path"; the request is sent unchanged, whatever the method. */
  readonly send: (target: string, options?: SendOptions) => Promise<HttpResponse>;
}

/** Starts a service before the tests of the file and closes it after them. */
export function useService(options: ServiceOptions = {}): TestService {
  return useStarted(() => createService(options));
}

export function useStarted(start: () => Promise<Service>): TestService {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service?.close());
  function url(): string {
    if (service === undefined) throw new Error('The service runs only while tests do.');
    return service.url;
  }
  return {
    get url() {
      return url();
    },
    get tlsUrl() {
      return service?.tlsUrl;
    },
    send: (target, sendOptions) => send(url(), target, sendOptions),
  };
}

/** Sends one request and checks the invariants of every response. */
export async function send(
  baseUrl: string,
  target: string,
  options: SendOptions = {},
): Promise<HttpResponse> {
  const space = target.indexOf(' ');
  const method = target.slice(0, space);
  const path = target.slice(space + 1);
  const response = await exchange(baseUrl, method, path, options);
  checkInvariants(method, path, response);
  return response;
}

function exchange(
  baseUrl: string,
  method: string,
  path: string,
  { headers = {}, body, json, signal }: SendOptions,
): Promise<HttpResponse> {
  const payload = json === undefined ? body : JSON.stringify(json);
  const pairs = Array.isArray(headers) ? [...headers] : Object.entries(headers);
  const has = (name: string) => pairs.some(([sent]) => sent.toLowerCase() === name);
  if (json !== undefined && !has('content-type')) pairs.push(['Content-Type', 'application/json']);
  if (payload !== undefined && !has('content-length') && !has('transfer-encoding')) {
    pairs.push(['Content-Length', String(Buffer.byteLength(payload))]);
  }
  const { hostname, port, host } = new URL(baseUrl);
  if (!has('host')) pairs.unshift(['Host', host]);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      ...{ hostname, port, method, path, headers: pairs.flat() },
      ...(signal && { signal }),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      collect(response, response).then(resolve, reject);
    });
    // The client hands over the socket of a CONNECT; the body arrives on it as plain bytes.
    outgoing.on('connect', (response, socket, head) => {
      socket.unshift(head);
      collect(response, socket).then(resolve, reject);
    });
    outgoing.end(payload);
  });
}

async function collect(response: IncomingMessage, body: Readable): Promise<HttpResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    bytes,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/**
 * Paths whose errors have another shape: another standard prescribes it, or the caller requests it.
 */
const otherErrorShapes =
  /^\/(?:graphql|api\/soap\/|api\/http\/(?:status|responses|respond|formats\/problem)|json-server(?![^/?])|mcp(?![^/?])|llm\/(?:\S+\/)?(?:openai|anthropic|gemini|ollama)\/|v1beta\/|(?:s\/[\w.-]+\/)?v1\/|api\/(?:chat|generate|embed|tags)$|(?:chat\/completions|responses|models|messages)$|httpbin\/(?:status|drip)|[a-z][\w.]*\.[A-Z]\w*\/[A-Z]|(?:jsonplaceholder|dummyjson|fakestore|reqres|restful-booker|petstore|postman-echo)(?![^/?]))/i;

/**
 * With plain comparisons: matchers for each response needed a tenth of the time of all tests in
 * memory.
 */
function checkInvariants(method: string, sentPath: string, response: HttpResponse): void {
  const path = sentPath.replace(/^\/s\/[^/?]+(?=\/)/i, '');
  const fault = findFault(method, path, response) ?? findFaultOfError(method, path, response);
  if (fault === undefined) return;
  const { status, headers, text } = response;
  const shown = JSON.stringify({ headers, text: text.slice(0, 2000) }, undefined, 2);
  expect.fail(`${method} ${sentPath} → ${status} ${fault}:\n${shown}`);
}

/** The problems of a response of any kind. */
function findFault(method: string, path: string, response: HttpResponse): string | undefined {
  const { status, headers, text } = response;
  if (!headers['x-request-id']) return 'carries no request id';
  const allowsCredentials = headers['access-control-allow-credentials'] === 'true';
  if (allowsCredentials && !headers.vary?.includes('Origin')) return 'does not vary by Origin';
  if (!allowsCredentials && headers['access-control-allow-origin'] !== '*') {
    return 'is not open to every origin';
  }
  if ((status === 204 || status === 304 || method === 'HEAD') && text !== '') return 'has a body';
  if (!/^\/(?:api\/ratelimit|dummyjson|reqres)/i.test(path)) {
    const name = rateHeaders.find((each) => Object.hasOwn(headers, each));
    if (name !== undefined) return `has ${name}`;
  }
  if (status === 405 && !headers.allow) return 'does not say what is allowed';
  return undefined;
}

/** The problems of the body of an error. */
function findFaultOfError(
  method: string,
  path: string,
  response: HttpResponse,
): string | undefined {
  const { status, headers, text } = response;
  if (status < 400 || method === 'HEAD' || otherErrorShapes.test(path)) return undefined;
  const type = headers['content-type'];
  const reason = STATUS_CODES[status];
  if (type?.startsWith('text/html')) {
    // An issuer that imitates the page of a proxy, on purpose.
    if (status === 502 && /\/oidc\/token$/.test(path)) return undefined;
    return text.includes(`<h1>${status} ${reason}</h1>`) ? undefined : 'has another heading';
  }
  const { json } = response;
  if (type === 'application/problem+json') {
    const isWhole =
      json.status === status && json.title === reason && typeof json.detail === 'string';
    return isWhole ? undefined : 'is not that problem';
  }
  if (type === 'application/vnd.api+json') {
    const isEach = json.errors.every((error: { status: string }) => error.status === `${status}`);
    return isEach ? undefined : 'has errors of another status';
  }
  if (type !== 'application/json; charset=utf-8') return 'has another media type';
  if (json.status !== status) return 'has another status in its body';
  if (typeof json.message !== 'string' || json.message === '') return 'has no message';
  // OAuth errors have the code of RFC 6749 instead of the reason phrase.
  const isNamed = json.error_description !== undefined || json.error === reason;
  return isNamed ? undefined : 'is named otherwise';
}
