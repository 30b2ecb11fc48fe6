/** Writes responses while their clients read them, within the budget of unsent bytes. */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type UnsentBytes, unsentBytesOn } from './budgets/unsent-bytes.js';
import { guard } from './guard.js';
import { isExtendedConnect, isUpgradeAccepted } from './upgrade.js';
import type { Reject } from './wire-service.js';

/** Larger bodies are written in slices of this size. */
const sliceBytes = 64 * 1024;

/** Response if the budget has no room. */
export const noRoom = {
  status: 503,
  message: 'The service has reached its limit of unread response bytes. Try again in a moment.',
  headers: { 'retry-after': '2' },
} as const;

export function hasRoomFor({ socket }: IncomingMessage, bytes: number): boolean {
  return unsentBytesOn(socket)?.hasRoomFor(bytes) !== false;
}

/** Counts bytes of a response that are sent later than its client would read them. */
export function holdBack(response: ServerResponse, bytes: number): void {
  unsentBytesOn(response.req.socket)?.noteResponse(response, bytes, false);
}

const sharedBytes = new WeakSet<Uint8Array>();

/** Marks bytes that many responses share, so that no response counts them. */
export function shareBytes(bytes: Uint8Array): void {
  sharedBytes.add(bytes);
}

/** How the head of a response is written over HTTP/1.1. */
export interface HeadForm {
  /** Returns the letter case of a name that is given in lower case. */
  readonly nameOf: (name: string) => string;
  /** Whether the reason phrase is in capitals. */
  readonly isReasonUpper?: boolean;
}

/** Sets the form of a head. HTTP/2 has only lower case (RFC 9113 section 8.2.1). */
export function setHeadForm(response: ServerResponse, form: HeadForm): void {
  if (response.req.httpVersionMajor === 1) (response as WithHeadForm).headForm = form;
}

export function headFormOf(response: ServerResponse): HeadForm | undefined {
  return (response as WithHeadForm).headForm;
}

type WithHeadForm = ServerResponse & { headForm?: HeadForm | undefined };

/** Trailers are kept only on HTTP/2. */
type WithTrailers = ServerResponse & { dropTrailers?(): void };

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type HeadArguments = [status: number, reasonOrHeaders?: string | Headers, headers?: Headers];
type Callback = (error?: Error | null) => void;

type ResponseClass = typeof ServerResponse<IncomingMessage>;

/** Returns the class of the responses of a service, based on Node's or another class. */
export function measuredResponse(
  unsent: UnsentBytes,
  reject: Reject,
  Unmeasured: ResponseClass = ServerResponse,
): ResponseClass {
  class MeasuredResponse extends rejectingResponse(unsent, reject, Unmeasured) {
    override write(chunk: unknown, ...rest: never[]): boolean {
      if (!this.headersSent) this.writeHead(this.statusCode);
      if (this.rejection !== undefined) {
        this.end();
        return true;
      }
      const isRoomLeft = super.write(chunk, ...rest);
      unsent.noteResponse(this, 0);
      return isRoomLeft;
    }

    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      const isStream = this.req.httpVersionMajor === 2;
      if (isStream && !this.headersSent && isExtendedConnect(this.req)) {
        this.writeHead(this.statusCode);
      }
      if (this.isEnding) return this;
      const isBody = typeof chunk === 'string' || chunk instanceof Uint8Array;
      if (this.rejection !== undefined) {
        this.isEnding = true;
        super.end(this.rejection);
      } else if (isBody && chunk.length > sliceBytes && this.req.method !== 'HEAD') {
        this.isEnding = true;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        if (!this.headersSent) this.setHeader('content-length', bytes.length);
        this.sendSlices(bytes, 0, callback as Callback | undefined);
      } else {
        super.end(chunk, encoding as BufferEncoding, callback as Callback);
        unsent.noteResponse(this, 0);
      }
      return this;
    }

    /** Writes slices while the client reads them, and continues when it has read more. */
    sendSlices(bytes: Uint8Array, start: number, callback: Callback | undefined): void {
      let index = start;
      while (bytes.length - index > sliceBytes) {
        const isRoomLeft = super.write(bytes.subarray(index, index + sliceBytes));
        index += sliceBytes;
        if (isRoomLeft) continue;
        unsent.noteResponse(this, sharedBytes.has(bytes) ? 0 : bytes.length - index);
        this.once(
          'drain',
          guard(this.req, () => this.sendSlices(bytes, index, callback)),
        );
        return;
      }
      super.end(bytes.subarray(index), callback);
      unsent.noteResponse(this, 0);
    }
  }
  return MeasuredResponse as ResponseClass;
}

/** Returns the class that rejects a response instead of sending it. */
function rejectingResponse(unsent: UnsentBytes, reject: Reject, Base: ResponseClass) {
  return class RejectingResponse extends Base {
    /** Body of the rejection that replaces the response. */
    rejection: string | Buffer | undefined;
    headForm: HeadForm | undefined;
    /** Whether the budget of unsent bytes waits for its end. */
    isCounted = false;
    /** Whether `end` was called; slices may still have to be sent. */
    isEnding = false;

    // @ts-expect-error The types declare a property; in Node it is an accessor.
    override get writableEnded(): boolean {
      return this.isEnding || this.finished;
    }

    override writeHead(...head: HeadArguments): this {
      const isUsual = unsent.total === 0 && this.req.httpVersionMajor === 1;
      const fault = isUsual ? undefined : faultOf(this, head, unsent);
      if (fault === undefined) {
        const { headForm } = this;
        const all = headForm === undefined ? head : formedHead(this, head, headForm);
        return super.writeHead(...(all as [number, Headers]));
      }
      const { status, headers, body } = reject(fault.status, fault.message, this.req);
      const kept = keptHeaders.map((name) => [name, headerOf(this, head, name)] as const);
      for (const name of this.getHeaderNames()) this.removeHeader(name);
      (this as WithTrailers).dropTrailers?.();
      this.rejection = body;
      const all = Object.entries({ ...headers, ...Object.fromEntries(kept), ...fault.headers });
      const given = all.filter(([, value]) => value !== undefined);
      super.writeHead(status ?? fault.status, Object.fromEntries(given) as OutgoingHttpHeaders);
      return fault === noRoom ? this : this.end();
    }
  };
}

/** Returns the arguments of `writeHead` in a form, which also applies to headers set before. */
function formedHead(
  response: ServerResponse,
  [status, ...rest]: HeadArguments,
  { nameOf, isReasonUpper }: HeadForm,
): unknown[] {
  for (const name of response.getHeaderNames()) {
    response.setHeader(nameOf(name), response.getHeader(name) ?? '');
  }
  const reason = isReasonUpper ? (STATUS_CODES[status]?.toUpperCase() ?? '') : rest[0];
  const start = typeof reason === 'string' ? [status, reason] : [status];
  const headers = rest.at(-1);
  if (typeof headers !== 'object') return start;
  if (Array.isArray(headers)) return [...start, headers];
  const named: unknown[] = [];
  for (const name of Object.keys(headers)) named.push(nameOf(name), headers[name]);
  return [...start, named];
}

/** Headers of a response that remain when a rejection replaces it. */
const keptHeaders = [
  'x-request-id',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
];

interface Fault {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function faultOf(
  response: ServerResponse<IncomingMessage>,
  head: HeadArguments,
  unsent: UnsentBytes,
): Fault | undefined {
  const { req } = response;
  const [status] = head;
  // For a client of RFC 8441, any success would open the WebSocket (section 5).
  if (isExtendedConnect(req) && status < 300 && !isUpgradeAccepted(response, status)) {
    const message = `This path opens no WebSocket: the response to GET would be ${status}, which HTTP/2 clients would treat as one.`;
    return { status: 400, message };
  }
  const isBodiless = req.method === 'HEAD' || status === 204 || status === 304;
  if (unsent.total === 0 || isBodiless) return undefined;
  // A response without an announced length may be long.
  const bytes = Number(headerOf(response, head, 'content-length') ?? 2 * sliceBytes);
  return bytes > sliceBytes && !unsent.hasRoomFor(bytes) ? noRoom : undefined;
}

/** Returns a header of `writeHead`, or one set before. */
function headerOf(response: ServerResponse, head: HeadArguments, name: string) {
  const headers = head.at(-1);
  const isObject = typeof headers === 'object' && !Array.isArray(headers);
  return (isObject ? headers[name] : undefined) ?? response.getHeader(name);
}
