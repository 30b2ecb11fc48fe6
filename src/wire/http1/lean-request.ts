/**
 * Requests whose bodies go from the parser to their reader at once. The queue, events and ticks of a stream
 * cost more than all else that this service does for a small request.
 */

import { IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { SandboxAddress } from '../../http/sandbox-address.js';
import { closeConnection, resetConnection } from '../end-connection.js';
import { responseUnderWay } from './response-under-way.js';

/** Gets a body as it arrives. */
export interface BodyReader {
  /** Takes the next chunk, at once. */
  take(chunk: Buffer): void;
  /** The body has arrived whole. */
  end(): void;
  /** The connection ended before it had. */
  abandon(): void;
}

/**
 * A request for `http.createServer`. It can still be read as a stream, by whoever does so before it is all
 * there; without a body it has no events then, as with Node's own `optimizeEmptyRequests` from Node 24 on.
 */
export class LeanRequest extends IncomingMessage {
  override sandboxAddress: SandboxAddress | undefined = undefined;

  #reader: BodyReader | undefined;
  #see: ((chunk: Buffer) => void) | undefined;
  /** Whether all of it has arrived, and none of that went through the stream. */
  #isEnded = false;

  /** What answers it, while it is its turn. */
  get answer(): ServerResponse | undefined {
    return responseUnderWay(this.socket);
  }

  /** Whether it announces a body (RFC 9112 section 6.3); an announced one may be empty. */
  get announcesBody(): boolean {
    const { headers } = this;
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  }

  /** Whether it is an extended CONNECT for a WebSocket: RFC 8441. */
  get asksForTunnel(): boolean {
    return false;
  }

  /** What ends with it, or after it: its connection, or its stream. */
  get carrier(): Duplex {
    return this.socket;
  }

  /** Ends what it came on, once what was written is out; of a connection of streams, its own alone. */
  endConnection(): void {
    closeConnection(this.socket);
  }

  /** The same in the rude way. */
  resetConnection(): void {
    resetConnection(this.socket);
  }

  /** Whether somebody takes the body as it arrives. */
  get isBeingRead(): boolean {
    return this.#reader !== undefined || this.readableFlowing === true;
  }

  // @ts-expect-error The types call it a property; in Node it is an accessor.
  override get readableEnded(): boolean {
    return this.#isEnded || hasStreamEnded.call(this);
  }

  /** Hands what arrives to a reader from now on, in place of the one before; what has arrived comes first. */
  readBy(reader: BodyReader): void {
    const isFirst = this.#reader === undefined;
    this.#reader = reader;
    if (!isFirst) return;
    if (this.destroyed && !this.complete) {
      // Nobody would tell it later.
      reader.abandon();
    } else if (this.complete || this.readableLength > 0) {
      this.on('data', (chunk: Buffer) => this.#take(chunk));
      this.on('end', () => this.#end());
    } else {
      // As a stream says that its bytes are wanted.
      this.emit('resume');
    }
  }

  /** Shows what readers get to somebody else as well. Call before anybody reads. */
  watch(see: (chunk: Buffer) => void): void {
    this.#see = see;
  }

  override push(chunk: Buffer | null): boolean {
    // A stream that flows was begun before there was a reader.
    if (this.readableFlowing !== null || this.readableLength > 0) return super.push(chunk);
    if (this.#reader !== undefined) {
      if (chunk === null) this.#end();
      else this.#take(chunk);
      return true;
    }
    if (chunk !== null || this.announcesBody) return super.push(chunk);
    this.#isEnded = true;
    return true;
  }

  /** Called by Node once the answer is out, to have dropped what nobody read. */
  _dump(): void {
    if (!this.#isEnded && this.#reader === undefined) dump.call(this);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.destroyMessage(error, callback);
    this.#reader?.abandon();
  }

  protected destroyMessage(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, callback);
  }

  #take(chunk: Buffer): void {
    this.#see?.(chunk);
    this.#reader?.take(chunk);
  }

  #end(): void {
    this.#isEnded = true;
    this.#reader?.end();
    this.#reader = undefined;
  }
}

const { _dump: dump } = IncomingMessage.prototype as unknown as { _dump(this: LeanRequest): void };
// The language has no super for what is typed as a property.
const { get: hasStreamEnded } = Object.getOwnPropertyDescriptor(
  Readable.prototype,
  'readableEnded',
) as { get(this: LeanRequest): boolean };

/** Whether the request announces a body; see {@link LeanRequest.announcesBody}. */
export function hasBody(request: IncomingMessage): boolean {
  return (request as LeanRequest).announcesBody;
}

/** Ends what a request came on, which the client did not ask for. */
export function endConnectionOf(request: IncomingMessage): void {
  (request as LeanRequest).endConnection();
}

export function resetConnectionOf(request: IncomingMessage): void {
  (request as LeanRequest).resetConnection();
}
