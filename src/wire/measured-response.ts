/**
 * Responses that go out as their clients take them: a large one in slices, and none that the budget of
 * unsent bytes has no room for.
 */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { errorBody, HttpError, jsonContentType } from '../http/http-error.js';
import { type Taker, type UnsentBytes, unsentBytesOn } from './budgets/unsent-bytes.js';

/** A response larger than this goes out in slices of this size. */
export const sliceBytes = 64 * 1024;

const retryAfterSeconds = '2';
const rejection =
  'The service holds as many unsent bytes as it may for clients that have not read them yet. Try again in a moment.';

/** What a refusal keeps of the answer it replaces: the request's id, and that pages may read it. */
export const keptHeaders = [
  'x-request-id',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
];

/** Sent to many from one place in memory. */
const sharedBytes = new WeakSet<Uint8Array>();

/** Says that many responses send these same bytes, so that none of them holds any of its own. */
export function shareBytes(bytes: Uint8Array): void {
  sharedBytes.add(bytes);
}

/** Throws 503 where the budget has no room for so many bytes, which are to be made only then. */
export function requireRoom({ socket }: IncomingMessage, bytes: number): void {
  if (unsentBytesOn(socket)?.hasRoomFor(bytes) === false) {
    throw new HttpError(503, rejection, { headers: { 'retry-after': retryAfterSeconds } });
  }
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type HeadArguments = [status: number, reasonOrHeaders?: string | Headers, headers?: Headers];
type Callback = (error?: Error | null) => void;

type ResponseClass = typeof ServerResponse<IncomingMessage>;

/** Makes the class of the responses of one service, for `http.createServer`, or over another class of them. */
export function measuredResponse(
  unsent: UnsentBytes,
  Unmeasured: ResponseClass = ServerResponse,
): ResponseClass {
  class MeasuredResponse extends Unmeasured {
    /** The body that is sent in place of the answer, when there is no room for that. */
    #refusal: string | undefined;
    #isEnding = false;
    #isNoted = false;

    /** Whether `end` was called, be it that slices are still to be sent. */
    // @ts-expect-error The types call it a property; in Node it is an accessor.
    override get writableEnded(): boolean {
      return this.#isEnding || this.finished;
    }

    override writeHead(...head: HeadArguments): this {
      if (unsent.total > 0) {
        const bytes = announcedBytes(this, head);
        if (bytes > sliceBytes && !unsent.hasRoomFor(bytes)) return this.#refuse(head);
      }
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    }

    override write(chunk: unknown, ...rest: never[]): boolean {
      if (!this.headersSent) this.writeHead(this.statusCode);
      if (this.#refusal !== undefined) {
        this.end();
        return true;
      }
      const isRoomLeft = super.write(chunk, ...rest);
      this.#note(0);
      return isRoomLeft;
    }

    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      if (this.#isEnding) return this;
      if (this.#refusal !== undefined) {
        this.#isEnding = true;
        return super.end(this.#refusal);
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

    /** Counts bytes of the answer that wait although its client would take them. */
    holdBack(bytes: number): void {
      const taker = this.#taker;
      if (taker === null) return;
      unsent.note(taker, bytes, false);
      this.#settleAtEnd(taker);
    }

    /** What the bytes are sent on. */
    get #taker(): Taker | null {
      return (this as { readonly taker?: Taker }).taker ?? (this.socket as Socket | null);
    }

    /** Sends from a place on, as far as the client takes it, and goes on when it takes more. */
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
      const taker = this.#taker;
      if (taker === null || (pendingBytes === 0 && taker.writableLength === 0)) return;
      unsent.note(taker, pendingBytes);
      this.#settleAtEnd(taker);
    }

    #settleAtEnd(taker: Taker): void {
      if (this.#isNoted) return;
      this.#isNoted = true;
      // A socket says that it has drained only when much was waiting.
      this.once('finish', () => unsent.note(taker, 0, true));
      // Of a stream of a connection nobody else hears that it has ended.
      if (taker !== this.socket) this.once('close', () => unsent.note(taker, 0, true));
    }

    #refuse(head: HeadArguments): this {
      const kept = keptHeaders.flatMap((name) => {
        const value = headerOf(this, head, name);
        return value === undefined ? [] : [[name, value] as const];
      });
      for (const name of this.getHeaderNames()) this.removeHeader(name);
      this.#refusal = JSON.stringify(errorBody(503, rejection));
      return super.writeHead(503, {
        ...Object.fromEntries(kept),
        'content-type': jsonContentType,
        'content-length': Buffer.byteLength(this.#refusal),
        'retry-after': retryAfterSeconds,
        'cache-control': 'no-store',
      });
    }
  }
  return MeasuredResponse as ResponseClass;
}

/** Counts bytes of an answer that are sent later than its client would take them. */
export function holdBack(response: ServerResponse, bytes: number): void {
  if ('holdBack' in response) (response as HoldingResponse).holdBack(bytes);
}

interface HoldingResponse extends ServerResponse {
  holdBack(bytes: number): void;
}

function isLarge(chunk: unknown): chunk is string | Uint8Array {
  return (typeof chunk === 'string' || chunk instanceof Uint8Array) && chunk.length > sliceBytes;
}

/** How much of a body the head announces; more than a slice where it does not say. */
function announcedBytes(response: Headed, head: HeadArguments): number {
  const [status] = head;
  if (response.req.method === 'HEAD' || status === 204 || status === 304) return 0;
  const announced = headerOf(response, head, 'content-length');
  return announced === undefined ? 2 * sliceBytes : Number(announced);
}

type Headed = Pick<ServerResponse<IncomingMessage>, 'req' | 'getHeader'>;

/** A header that is being written, be it among the arguments of `writeHead` or set before. */
function headerOf(response: Headed, head: HeadArguments, name: string) {
  const headers = head.at(-1);
  const isObject = typeof headers === 'object' && !Array.isArray(headers);
  return (isObject ? headers[name] : undefined) ?? response.getHeader(name);
}
