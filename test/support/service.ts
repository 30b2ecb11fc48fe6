/** A fresh service for a test file, and requests to it that check what is true of every response. */

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
  /** A list of pairs sends names as they are written and repeats them. */
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  /** Sends this value as JSON, with its Content-Type. */
  readonly json?: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Every name and value in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what the JSON is
  readonly json: any;
}

export interface TestService {
  readonly url: string;
  /** Of a service with TLS. */
  readonly tlsUrl?: string | undefined;
  /** `target` is "Method /path"; the request is sent as it is written, whatever the method. */
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
  { headers = {}, body, json }: SendOptions,
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
    const outgoing = httpRequest({ hostname, port, method, path, headers: pairs.flat() });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      collect(response, response).then(resolve, reject);
    });
    // The client hands over the socket of a CONNECT; the body comes as plain bytes on it.
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

/** Paths whose errors have another shape: another standard prescribes it, or the caller asks for it. */
const otherErrorShapes =
  /^\/(?:graphql|api\/soap\/|api\/http\/(?:status|responses|respond|formats\/problem)|httpbin\/(?:status|drip))/i;

function checkInvariants(method: string, sentPath: string, response: HttpResponse): void {
  const path = sentPath.replace(/^\/s\/[^/?]+(?=\/)/i, '');
  const { status, headers, text } = response;
  const where = `${method} ${sentPath} → ${status}`;
  expect(headers['x-request-id'], `${where} carries a request id`).toBeTruthy();
  expect(headers['access-control-allow-origin'], `${where} is open to every origin`).toBe('*');
  if (status === 204 || status === 304 || method === 'HEAD') expect(text, where).toBe('');
  if (!/^\/api\/ratelimit/i.test(path)) {
    for (const name of rateHeaders) expect(headers, where).not.toHaveProperty(name);
  }
  if (status === 405) expect(headers.allow, `${where} says what is allowed`).toBeTruthy();
  if (status < 400 || method === 'HEAD' || otherErrorShapes.test(path)) return;
  const type = headers['content-type'];
  // An issuer that imitates the page of a proxy, on purpose.
  if (status === 502 && /\/oidc\/token$/.test(path) && type?.startsWith('text/html')) return;
  if (type?.startsWith('text/html')) {
    expect(text, where).toContain(`<h1>${status} ${STATUS_CODES[status]}</h1>`);
    return;
  }
  const { json } = response;
  if (type === 'application/problem+json') {
    const title = STATUS_CODES[status];
    expect(json, where).toMatchObject({ status, title, detail: expect.any(String) });
    return;
  }
  if (type === 'application/vnd.api+json') {
    for (const error of json.errors) expect(error, where).toMatchObject({ status: String(status) });
    return;
  }
  expect(type, where).toBe('application/json; charset=utf-8');
  expect(json, where).toMatchObject({ status, message: expect.any(String) });
  expect(json.message.length, `${where} has a message`).toBeGreaterThan(0);
  // OAuth errors carry the code of RFC 6749 in place of the reason phrase.
  if (json.error_description === undefined) expect(json.error, where).toBe(STATUS_CODES[status]);
}
