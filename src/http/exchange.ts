/** A request and its reply, as handlers use them, over HTTP/1.1 and HTTP/2. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished, Readable } from 'node:stream';
import type { DocumentNode } from 'graphql';
import type { TSchema } from 'typebox';
import { parseUrlEncoded } from '#base/text/parse-url-encoded.js';
import type { Shown } from '#base/text/redact.js';
import type { Moment, Sandbox } from '#state/state.js';
import type { BodiesInFlight } from '#wire/budgets/bodies-in-flight.js';
import type { DeniedHeaders } from './denied-headers.js';

export interface RequestParts {
  readonly Params?: unknown;
  readonly Querystring?: unknown;
  readonly Headers?: unknown;
  readonly Body?: unknown;
}

/** Faults of one part of a request, as the validator reports them. */
export interface InputFaults {
  readonly part: 'params' | 'body' | 'query' | 'headers';
  readonly faults: readonly object[];
}

/** Schemas by the names of parameters, headers or members. */
export type Fields = Readonly<Record<string, TSchema>>;

/** The parsed message of a request, by format. */
export interface ParsedMessage {
  readonly json?: unknown;
  readonly form?: ReadonlyMap<string, string>;
  readonly graphql?: DocumentNode;
  readonly xml?: ParsedElement;
}

/** An element without its prefix, and the character data directly inside. */
export interface ParsedElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly children: readonly ParsedElement[];
  readonly text: string;
}

/**
 * `undelayed`: `delay` belongs to the endpoint. `lenient`: malformed ones request none. `none`: all belong to the
 * endpoint, which also gets preflights.
 */
export type QueryFaults = 'undelayed' | 'lenient' | 'none';

/** Properties of an endpoint that the steps before and after its handler use. */
export interface Traits {
  /** Maximum number of values in a JSON body; 1000 by default. */
  readonly maxJsonValues?: number;
  /** Parsers of bodies of other types than JSON, by media type. They throw 400. */
  readonly otherBodies?: Readonly<Record<string, (text: string) => unknown>>;
  /**
   * Whether a POST only reads, so that it may be repeated. The function gets the beginning of the
   * body, and returns `undefined` if that does not tell.
   */
  readonly onlyReads?: true | ((body: Buffer) => boolean | undefined);
  /** Which query parameters request a fault. Default: all, and malformed ones are rejected. */
  readonly queryFaults?: QueryFaults;
  /**
   * Accessible without an account even if the service requires one; with a function, to some requests, such as requests
   * for a page.
   */
  readonly isOpen?: true | ((request: Request) => boolean);
  /** Runs before the head of each response is written, also of failures. */
  readonly beforeSend?: ((request: Request, reply: Reply) => Promise<void> | void) | undefined;
}

/** The endpoint of a request, as the pipeline uses it. */
export interface Route {
  /** In the syntax of routes, such as `/api/Events/:id`. */
  readonly path: string;
  /** Whether HEAD gets the response of GET without the body. */
  readonly isHeadAdded: boolean;
  readonly spec: Traits;
}

/** Shared by all requests of a service. */
export interface Exchanges {
  readonly bodies: BodiesInFlight;
  readonly deniedHeaders: DeniedHeaders;
  readonly sandboxOf: (request: Request) => Sandbox;
  readonly baseUrlOf: (request: Request) => string;
  /** Returns a path without its query as others may see it: up to the last known segment, without secrets. */
  readonly showPath: (path: string) => Shown;
  /** Returns whether an address is a trusted proxy; by default, none is. */
  readonly isTrusted?: ((address: string) => boolean) | undefined;
  /** Responds to an error of a handler, or to a response that cannot be written. */
  readonly fail: (error: unknown, request: Request, reply: Reply) => void;
}

type HeadersOf<Given> = Given extends object ? IncomingHttpHeaders & Given : IncomingHttpHeaders;

export class Request<Parts extends RequestParts = RequestParts> {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly method: string;
  /** The target, without the prefix of a sandbox. See {@link retarget}. */
  url: string;
  readonly headers: HeadersOf<Parts['Headers']>;
  readonly socket: Socket;
  params: Parts['Params'];
  body: Parts['Body'] = undefined as Parts['Body'];
  /** Absent if no account is required. */
  accountId: string | undefined = undefined;
  /** Faults of the input, if the endpoint reports them itself. */
  inputFaults: InputFaults | undefined = undefined;
  /** Absent for an unknown path or an unsupported method. */
  readonly route: Route | undefined;
  readonly exchanges: Exchanges;
  /** Its reply, while the request uses the state. */
  moment: Moment | undefined = undefined;
  /** Sees what the endpoint parses. Absent if no observer needs the request, and after its response. */
  onParsed: ((message: ParsedMessage) => void) | undefined = undefined;
  #query: Parts['Querystring'] | undefined;

  constructor(
    raw: IncomingMessage,
    id: string,
    params: Parts['Params'],
    route: Route | undefined,
    exchanges: Exchanges,
  ) {
    this.raw = raw;
    this.id = id;
    this.method = raw.method ?? '';
    this.url = raw.url ?? '';
    this.headers = raw.headers as HeadersOf<Parts['Headers']>;
    this.socket = raw.socket;
    this.params = params;
    this.route = route;
    this.exchanges = exchanges;
  }

  /** The sandbox that the caller reads and writes. */
  get sandbox(): Sandbox {
    return this.exchanges.sandboxOf(this);
  }

  /** The base URL of links in the response, without a slash at the end. */
  get baseUrl(): string {
    return this.exchanges.baseUrlOf(this);
  }

  /** Parameters by name; a repeated one is a list. Validation replaces texts by parsed values. */
  get query(): Parts['Querystring'] {
    if (this.#query === undefined) {
      const start = this.url.indexOf('?');
      const text = start < 0 ? '' : this.url.slice(start + 1);
      this.#query = parseUrlEncoded(text) as Parts['Querystring'];
    }
    return this.#query;
  }

  /** Continues with another target of the same endpoint. */
  retarget(url: string): void {
    this.url = url;
    this.#query = undefined;
  }

  /**
   * The client's address; behind trusted proxies, the address that the outermost of them reports.
   */
  get ip(): string {
    return this.exchanges.isTrusted === undefined
      ? (this.socket.remoteAddress as string)
      : (this.ips.at(-1) as string);
  }

  /** The addresses from the nearest to the client's; all but the last are trusted proxies. */
  get ips(): readonly string[] {
    const { isTrusted = () => false } = this.exchanges;
    const forwarded = String(this.headers['x-forwarded-for'] ?? '').split(',');
    const all = [
      this.socket.remoteAddress ?? '',
      ...forwarded.map((each) => each.trim()).reverse(),
    ].filter((each, index) => index === 0 || each !== '');
    const end = all.findIndex((address) => !isTrusted(address));
    return end < 0 ? all : all.slice(0, end + 1);
  }
}

export type HeaderValue = string | number | readonly string[];

type Payload = string | Buffer | Readable | null | undefined;

const json = 'application/json; charset=utf-8';

export class Reply implements Moment {
  readonly raw: ServerResponse;
  readonly request: Request;
  readonly startedAtMs = performance.now();
  sinceMs = 0;
  /** Whether a response was sent, here or by other means. */
  isSent = false;
  /** Replaces the payload of the response, and may change its head. */
  alter: ((payload: unknown) => unknown) | undefined = undefined;
  /** Sees the payload before the response is written, which waits for it. Must not throw. */
  observe: ((payload: unknown) => Promise<void> | undefined) | undefined = undefined;
  #headers: Record<string, HeaderValue>;
  #serialize: ((payload: unknown) => string) | undefined;
  #isPrepared = false;
  #isHijacked = false;

  /** `headers` are by name in lower case. */
  constructor(raw: ServerResponse, request: Request, headers: Record<string, HeaderValue> = {}) {
    this.raw = raw;
    this.request = request;
    this.#headers = headers;
    request.moment = this;
  }

  get isOver(): boolean {
    return this.#isHijacked || this.raw.headersSent;
  }

  /** Whether a response was sent, or the client has left. */
  get isDone(): boolean {
    return this.isSent || this.raw.destroyed || this.raw.writableEnded;
  }

  get statusCode(): number {
    return this.raw.statusCode;
  }

  code(status: number): this {
    this.raw.statusCode = status;
    return this;
  }

  /** Sets a header; adds one for Set-Cookie. */
  header(name: string, value: HeaderValue = ''): this {
    const key = name.toLowerCase();
    const before = key === 'set-cookie' ? this.#headers[key] : undefined;
    const all = before === undefined ? value : ([before, value].flat() as readonly string[]);
    // Callers may use this name, which is no ordinary property.
    if (key === '__proto__') define(this.#headers, key, all);
    else this.#headers[key] = all;
    return this;
  }

  headers(headers: Readonly<Record<string, HeaderValue>>): this {
    for (const name of Object.keys(headers)) this.header(name, headers[name]);
    return this;
  }

  type(contentType: string): this {
    this.#headers['content-type'] = contentType;
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase();
    return this.#headers[key] ?? this.raw.getHeader(key);
  }

  getHeaders(): Readonly<Record<string, HeaderValue | undefined>> {
    return { ...this.raw.getHeaders(), ...this.#headers };
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase();
    delete this.#headers[key];
    if (!this.raw.headersSent) this.raw.removeHeader(key);
    return this;
  }

  /** Writes objects with this function, and keeps the Content-Type. */
  serializer(serialize: (payload: never) => string): this {
    this.#serialize = serialize as (payload: unknown) => string;
    return this;
  }

  redirect(location: string, status = 302): this {
    return this.header('location', location).code(status).send();
  }

  /** Marks the response as sent by other means, such as a WebSocket. */
  hijack(): this {
    this.isSent = true;
    this.#isHijacked = true;
    this.observe?.(undefined);
    return this;
  }

  /** Sends text, bytes, a stream, or any other value as JSON. A second response is ignored. */
  send(payload?: unknown): this {
    if (this.isSent) return this;
    try {
      const body = this.#serialized(this.alter === undefined ? payload : this.#altered(payload));
      this.isSent = true;
      const prepare = this.#isPrepared ? undefined : this.request.route?.spec.beforeSend;
      this.#isPrepared = true;
      const pending = prepare?.(this.request, this);
      if (pending === undefined) this.#finish(body);
      else pending.then(() => this.#finish(body)).catch((error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
    return this;
  }

  #altered(payload: unknown): unknown {
    const { alter } = this;
    // A failure of it becomes a response that is not altered.
    this.alter = undefined;
    return alter?.(payload);
  }

  #finish(body: Payload): void {
    const pending = this.observe?.(body);
    if (pending === undefined) this.#write(body);
    else pending.then(() => this.#write(body)).catch((error) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.isSent = false;
    if (this.raw.headersSent) this.raw.destroy();
    else this.request.exchanges.fail(error, this.request, this);
  }

  /** Removes headers about the body, before another body is sent. */
  dropContent(): this {
    this.#headers = { ...this.#headers };
    delete this.#headers['content-type'];
    delete this.#headers['content-length'];
    this.#serialize = undefined;
    return this;
  }

  #serialized(payload: unknown): Payload {
    if (payload === undefined || payload instanceof Readable) return payload;
    if (payload instanceof Uint8Array) {
      this.#headers['content-type'] ??= 'application/octet-stream';
      return Buffer.isBuffer(payload)
        ? payload
        : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    }
    const isText = typeof payload === 'string';
    const type = this.getHeader('content-type') as string | undefined;
    if (!isText && this.#serialize !== undefined) return this.#serialize(payload);
    if (type === undefined) {
      this.#headers['content-type'] = isText ? 'text/plain; charset=utf-8' : json;
    } else if (type !== json && this.#serialize === undefined) {
      this.#addCharset(type);
    }
    return isText ? payload : JSON.stringify(payload);
  }

  #addCharset(type: string): void {
    if (/^[^;]*json/.test(type) && !/;\s*charset=/i.test(type)) {
      this.#headers['content-type'] = `${type}; charset=utf-8`;
    }
  }

  #write(payload: Payload): void {
    const { raw } = this;
    const { statusCode } = raw;
    if (statusCode === 204) this.removeHeader('content-type').removeHeader('content-length');
    const hasNoLength = statusCode < 200 || statusCode === 204 || statusCode === 304;
    const isEmpty = payload === undefined || payload === null;
    const isHeadAlone = raw.req.method === 'HEAD' || (statusCode === 204 && !isEmpty);
    if (isHeadAlone) this.#describeBody(payload, hasNoLength);
    else if (isEmpty) {
      if (!hasNoLength) this.#headers['content-length'] = '0';
    } else if (payload instanceof Readable) {
      this.#pipe(payload);
      return;
    } else this.#headers['content-length'] = String(Buffer.byteLength(payload));
    // Node has no reason for it.
    if (statusCode === 529) raw.statusMessage ||= 'Overloaded';
    raw.writeHead(statusCode, this.#headers as Record<string, string>);
    raw.end(isHeadAlone || isEmpty ? undefined : payload);
  }

  /** Sets the Content-Length of GET. */
  #describeBody(payload: Payload, hasNoLength: boolean): void {
    const isLikeGet = this.request.route?.isHeadAdded === true;
    if (hasNoLength) {
      if (isLikeGet) this.removeHeader('content-length');
    } else if (!(payload instanceof Readable) && (isLikeGet || payload != null)) {
      const length = String(Buffer.byteLength(payload ?? ''));
      if (isLikeGet) this.#headers['content-length'] = length;
      else this.#headers['content-length'] ??= length;
    }
    if (payload instanceof Readable) payload.on('error', () => {}).resume();
  }

  /** Sends a stream. A failure before its first byte becomes an error response. */
  #pipe(stream: Readable): void {
    const { raw } = this;
    let isOpen = true;
    finished(stream, { readable: true, writable: false }, (error) => {
      isOpen = false;
      if (error) this.#fail(error);
    });
    finished(raw, () => {
      if (isOpen) stream.destroy();
    });
    for (const [name, value] of Object.entries(this.#headers)) raw.setHeader(name, value);
    stream.pipe(raw);
  }
}

function define(headers: object, name: string, value: HeaderValue): void {
  Object.defineProperty(headers, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
