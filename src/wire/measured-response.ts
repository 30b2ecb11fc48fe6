/** Responses that are written while their clients read them, within the budget of unsent bytes. */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type UnsentBytes, unsentBytesOn } from './budgets/unsent-bytes.js';
import { isExtendedConnect, isUpgradeAccepted } from './upgrade.js';
import type { Reject } from './wire-service.js';

/** A larger body is written in slices of this size. */
export const sliceBytes = 64 * 1024;

/** The rejection of a response that the budget has no room for. */
export const noRoom = {
  status: 503,
  message:
    'The service holds as many unsent bytes as it may for clients that have not read them yet. Try again in a moment.',
  headers: { 'retry-after': '2' },
} as const;

/** Returns whether the budget has room for a response of so many bytes. */
export function hasRoomFor({ socket }: IncomingMessage, bytes: number): boolean {
  return unsentBytesOn(socket)?.hasRoomFor(bytes) !== false;
}

/** Headers of a response that stay when a rejection replaces it. */
const keptHeaders = [
  'x-request-id',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
];

const sharedBytes = new WeakSet<Uint8Array>();

/** Marks bytes that many responses share, so that none of them counts these. */
export function shareBytes(bytes: Uint8Array): void {
  sharedBytes.add(bytes);
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type HeadArguments = [status: number, reasonOrHeaders?: string | Headers, headers?: Headers];
type Callback = (error?: Error | null) => void;

type ResponseClass = typeof ServerResponse<IncomingMessage>;

/** Returns the class of the responses of a service, over Node's or another class. */
export function measuredResponse(
  unsent: UnsentBytes,
  reject: Reject,
  Unmeasured: ResponseClass = ServerResponse,
): ResponseClass {
  class MeasuredResponse extends Unmeasured {
    /** The body of the rejection that replaces the response. */
    #rejection: string | undefined;
    #isEnding = false;
    #isNoted = false;

    /** Whether `end` was called; slices may still have to be sent. */
    // @ts-expect-error The types call it a property; in Node it is an accessor.
    override get writableEnded(): boolean {
      return this.#isEnding || this.finished;
    }

    override writeHead(...head: HeadArguments): this {
      const [status] = head;
      // For a client of RFC 8441, any success would open the WebSocket (section 5).
      if (isExtendedConnect(this.req) && status < 300 && !isUpgradeAccepted(this, status)) {
        this.#replace(head, { status: 400, message: noWebSocket(status) });
        return this.end();
      }
      if (unsent.total > 0) {
        const bytes = announcedBytes(this, head);
        if (bytes > sliceBytes && !unsent.hasRoomFor(bytes)) return this.#replace(head, noRoom);
      }
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    }

    override write(chunk: unknown, ...rest: never[]): boolean {
      if (!this.headersSent) this.writeHead(this.statusCode);
      if (this.#rejection !== undefined) {
        this.end();
        return true;
      }
      const isRoomLeft = super.write(chunk, ...rest);
      this.#note(0);
      return isRoomLeft;
    }

    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      if (!this.headersSent && isExtendedConnect(this.req)) this.writeHead(this.statusCode);
      if (this.#isEnding) return this;
      if (this.#rejection !== undefined) {
        this.#isEnding = true;
        return super.end(this.#rejection);
      }
      if (isLarge(chunk) && this.req.method !== 'HEAD') {
        this.#isEnding = true;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        if (!this.headersSent) this.setHeader('content-length', bytes.length);
        this.#sendSlices(bytes, 0, callback as Callback | undefined);
        return this;
      }
      super.end(chunk, encoding as BufferEncoding, callback as Callback);
      this.#note(0);
      return this;
    }

    /** Counts bytes that are sent later than the client would read them. */
    holdBack(bytes: number): void {
      const connection = this.#connection;
      if (connection === null) return;
      unsent.note(connection, bytes, false);
      this.#noteAtEnd(connection);
    }

    get #connection(): Connection | null {
      const { countedConnection } = this as { readonly countedConnection?: Connection };
      return countedConnection ?? (this.socket as Socket | null);
    }

    /** Writes slices while the client reads them, and continues when it has read more. */
    #sendSlices(bytes: Uint8Array, start: number, callback: Callback | undefined): void {
      let place = start;
      while (bytes.length - place > sliceBytes) {
        const slice = bytes.subarray(place, place + sliceBytes);
        place += slice.length;
        const isRoomLeft = super.write(slice);
        if (isRoomLeft) continue;
        this.#note(sharedBytes.has(bytes) ? 0 : bytes.length - place);
        this.once('drain', () => this.#sendSlices(bytes, place, callback));
        return;
      }
      super.end(bytes.subarray(place), callback);
      this.#note(0);
    }

    #note(pendingBytes: number): void {
      const connection = this.#connection;
      if (connection === null || (pendingBytes === 0 && connection.writableLength === 0)) return;
      unsent.note(connection, pendingBytes);
      this.#noteAtEnd(connection);
    }

    #noteAtEnd(connection: Connection): void {
      if (this.#isNoted) return;
      this.#isNoted = true;
      // A socket emits `drain` only after much has waited.
      this.once('finish', () => unsent.note(connection, 0, true));
      // Only the response hears of the end of a stream.
      if (connection !== this.socket) this.once('close', () => unsent.note(connection, 0, true));
    }

    #replace(
      head: HeadArguments,
      fault: { readonly status: number; readonly message: string; readonly headers?: object },
    ): this {
      const { status, message, headers: more } = fault;
      const { headers, body } = reject(status, message, this.req);
      const kept = keptHeaders.map((name) => [name, headerOf(this, head, name)] as const);
      for (const name of this.getHeaderNames()) this.removeHeader(name);
      this.#rejection = body;
      const all = Object.entries({ ...headers, ...Object.fromEntries(kept), ...more });
      const given = all.filter(([, value]) => value !== undefined);
      return super.writeHead(status, Object.fromEntries(given) as OutgoingHttpHeaders);
    }
  }
  return MeasuredResponse as ResponseClass;
}

function noWebSocket(status: number): string {
  return `No WebSocket is opened here: the response to GET would be ${status}, which over HTTP/2 would say that one is.`;
}

/** Counts bytes of a response that are sent later than its client would read them. */
export function holdBack(response: ServerResponse, bytes: number): void {
  if ('holdBack' in response) (response as HoldingResponse).holdBack(bytes);
}

interface HoldingResponse extends ServerResponse {
  holdBack(bytes: number): void;
}

function isLarge(chunk: unknown): chunk is string | Uint8Array {
  return (typeof chunk === 'string' || chunk instanceof Uint8Array) && chunk.length > sliceBytes;
}

/** Returns the length of the body that the head announces; more than a slice if it announces none. */
function announcedBytes(response: Headed, head: HeadArguments): number {
  const [status] = head;
  if (response.req.method === 'HEAD' || status === 204 || status === 304) return 0;
  const announced = headerOf(response, head, 'content-length');
  return announced === undefined ? 2 * sliceBytes : Number(announced);
}

type Headed = Pick<ServerResponse<IncomingMessage>, 'req' | 'getHeader'>;

/** Returns a header that `writeHead` got, or that was set before. */
function headerOf(response: Headed, head: HeadArguments, name: string) {
  const headers = head.at(-1);
  const isObject = typeof headers === 'object' && !Array.isArray(headers);
  return (isObject ? headers[name] : undefined) ?? response.getHeader(name);
}
