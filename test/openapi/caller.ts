/** Makes the calls of the tables, using only the description, and keeps requests and responses. */

import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../../src/describe/openapi/json.js';
import type { RecordedCall, RecordedRequest } from '../../src/describe/openapi/recorded-calls.js';
import { placeholderHost } from '../../src/http/caching/addressed-content.js';
import type { ExampleRequest } from '../../src/kit/example.js';
import { exchange, type Received } from './exchange.js';
import { seedRandomness } from './seeded-randomness.js';

/** An example of an endpoint, and properties that only tables of calls need. */
export interface CallRequest extends Omit<ExampleRequest, 'json' | 'keeps'> {
  readonly json?: JsonValue;
  /** Sent with the port that the service listens on, which differs each time. */
  readonly isToOwnPort?: true;
  /** The prefix of the path. */
  readonly prefix?: string;
  /** The response is an endless stream; its beginning is enough. */
  readonly isStreamCut?: true;
  /** Called when the head of the response has arrived. */
  readonly onHead?: () => Promise<unknown>;
  /** Sent over TLS, with this client certificate. */
  readonly certificate?: string;
}

export interface HttpResponse extends Received {
  // biome-ignore lint/suspicious/noExplicitAny: a table knows its response
  readonly json: any;
}

export interface MadeCall {
  /** The operation that describes the call. */
  readonly operationId: string;
  /** The method, if it differs from the operation's, which may describe any method. */
  readonly otherMethod?: string | undefined;
  readonly name: string;
  readonly request: CallRequest;
  readonly response: HttpResponse;
}

/** The path of an operation. */
export interface Address {
  readonly method: string;
  readonly path: string;
  /** The operation that describes this method. */
  readonly describedAs?: string;
}

/** Makes the calls of one area. */
export type CallTable = (caller: Caller) => Promise<void>;

export class Caller {
  readonly made: MadeCall[] = [];
  /** Called once for each operation: after its first accepted call, or before its first DELETE. */
  onAccepted:
    | ((call: Pick<MadeCall, 'operationId' | 'request'> & { entityTag?: string }) => Promise<void>)
    | undefined;
  readonly #derived = new Set<string>();

  readonly #baseUrl: string;
  readonly #tlsUrl: string | undefined;
  readonly #addresses: ReadonlyMap<string, Address>;

  constructor(baseUrl: string, addresses: ReadonlyMap<string, Address>, tlsUrl?: string) {
    this.#baseUrl = baseUrl;
    this.#tlsUrl = tlsUrl;
    this.#addresses = addresses;
  }

  /** Makes a call that is an example; its name is unique among the calls of the operation. */
  async call(operationId: string, name: string, request: CallRequest = {}): Promise<HttpResponse> {
    const { describedAs, method } = this.#addressOf(operationId);
    if (method === 'DELETE' && describedAs === undefined) await this.#derive(operationId, request);
    seedRandomness(`${operationId}: ${name}`);
    const response = await this.send(operationId, request);
    if (describedAs !== undefined) {
      this.keep({
        operationId: describedAs,
        otherMethod: method,
        name: `${name}, by ${method}`,
        request: { ...request, isNoExample: true },
        response,
      });
      return response;
    }
    this.keep({ operationId, name, request, response });
    if (response.status < 400) await this.#derive(operationId, request, response.headers.etag);
    return response;
  }

  async #derive(operationId: string, request: CallRequest, entityTag?: string): Promise<void> {
    if (this.#derived.has(operationId)) return;
    this.#derived.add(operationId);
    await this.onAccepted?.({ operationId, request, ...(entityTag && { entityTag }) });
  }

  #addressOf(operationId: string): Address {
    const address = this.#addresses.get(operationId);
    if (address === undefined) throw new Error(`There is no operation ${operationId}.`);
    return address;
  }

  keep(call: MadeCall): void {
    const { operationId, name } = call;
    if (this.made.some((each) => each.operationId === operationId && each.name === name)) {
      throw new Error(`Several calls of ${operationId} have the name ${name}.`);
    }
    this.made.push(call);
  }

  /** Makes a call that is no example, to prepare others. */
  async send(operationId: string, request: CallRequest = {}): Promise<HttpResponse> {
    const address = this.#addressOf(operationId);
    const { json, type, headers = {}, announcedBytes, prefix = '' } = request;
    const body = json === undefined ? request.body : JSON.stringify(json);
    const contentType = json === undefined ? type : 'application/json';
    // Without TLS there is no example of it.
    const certificate = this.#tlsUrl === undefined ? undefined : request.certificate;
    const received = await exchange(
      (certificate === undefined ? undefined : this.#tlsUrl) ?? this.#baseUrl,
      {
        method: address.method,
        target: prefix + targetOf(address.path, request),
        headers: [
          ['Host', request.isToOwnPort ? new URL(this.#baseUrl).host : placeholderHost],
          ...Object.entries(headers),
          ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
        ],
        body,
        announcedBytes,
        isStreamCut: request.isStreamCut ?? false,
        certificate,
      },
      request.onHead,
    );
    return responseOf(received);
  }
}

export function responseOf(received: Received): HttpResponse {
  return {
    ...received,
    get json() {
      return JSON.parse(received.bytes.toString('utf8'));
    },
  };
}

/** The path with its parameters, and the query. */
export function targetOf(
  path: string,
  { path: values = {}, query = {} }: Pick<RecordedRequest, 'path' | 'query'>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} needs a value for ${name}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) search.append(name, String(each));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** Headers of CORS, of every response, or of the connection. */
const commonResponseHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  // Every response has it.
  'cache-control',
  'transfer-encoding',
  'x-request-id',
  // Every response below a secret path has it.
  'referrer-policy',
]);

export function isCommonHeader(name: string, value: unknown): boolean {
  const isOfCors = name.startsWith('access-control-') || (name === 'vary' && value === 'Origin');
  return isOfCors || commonResponseHeaders.has(name);
}

/** Longer texts are too long for an example. */
const maxKeptLength = 12_000;
const maxQueryLength = 1000;

/** The call in the form that the package stores; `undefined` when it is no example. */
export function recorded({ name, request, response }: MadeCall): RecordedCall | undefined {
  if (request.isNoExample || !isUtf8(response.bytes)) return undefined;
  const { path, query, headers, json, body, type } = request;
  const sentHeaders = { ...headers, ...(type !== undefined && { 'Content-Type': type }) };
  const sentBody =
    json === undefined ? body?.toString() : JSON.parse(withoutIds(JSON.stringify(json)));
  return {
    name,
    request: {
      ...(path && { path }),
      ...(query && JSON.stringify(query).length < maxQueryLength && { query }),
      ...(Object.keys(sentHeaders).length > 0 && { headers: sentHeaders }),
      ...(sentBody !== undefined && { body: sentBody }),
    },
    response: request.isRequestOnly
      ? { status: response.status, headers: {} }
      : {
          status: response.status,
          headers: Object.fromEntries(
            Object.entries(response.headers).filter(
              ([header, value]) =>
                !isCommonHeader(header, value) && !request.unkeptHeaders?.includes(header),
            ),
          ),
          ...bodyOf(response),
        },
  };
}

/** Ids of requests, which differ in each process. */
const requestIds = /[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g;

const withoutIds = (text: string) =>
  text.replace(requestIds, '01234567-89ab-8cde-8f01-23456789abcd');

function bodyOf({ bytes, headers }: HttpResponse): { body?: JsonValue } {
  if (bytes.length === 0 || bytes.length > maxKeptLength) return {};
  const text = withoutIds(bytes.toString('utf8'));
  return { body: /(?<!nd)json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text };
}
