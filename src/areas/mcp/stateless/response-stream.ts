/** The response to one request: JSON, or a stream of events once there are earlier messages. */

import { Readable } from 'node:stream';
import { newPromise } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import type { Reply } from '#http/exchange.js';
import type { HeldRequest, HeldRequests } from '#http/held-requests.js';
import {
  beginEvents,
  heartbeat,
  usualHeartbeatMs,
  writeEvent,
} from '#http/sending/event-stream.js';
import { guard } from '#kit/connection.js';
import { errorMessage, type RpcId } from '../messages/message.js';
import { Cancelled, codes, RpcError } from '../messages/rpc-error.js';
import type { Channel } from '../model/call.js';

export class ResponseStream implements Channel {
  readonly #reply: Reply;
  readonly #held: HeldRequests;
  readonly #onHold: (heldRequest: HeldRequest) => void;
  #heldRequest: HeldRequest | undefined;
  #stream: Readable | undefined;
  #taken = newPromise();
  #timer: NodeJS.Timeout | undefined;

  /** `onHold` is called when the request begins to take time. */
  constructor(reply: Reply, held: HeldRequests, onHold: (heldRequest: HeldRequest) => void) {
    this.#reply = reply;
    this.#held = held;
    this.#onHold = onHold;
  }

  hold(): HeldRequest {
    if (this.#heldRequest === undefined) {
      this.#heldRequest = this.#held.hold(this.#reply.request, this.#reply);
      this.#onHold(this.#heldRequest);
    }
    return this.#heldRequest;
  }

  /** Sends a message before the response; waits while the client is slow. */
  async send(message: JsonObject): Promise<void> {
    const { signal } = this.hold();
    if (signal.aborted) throw new Cancelled();
    await this.#push(writeEvent({ data: JSON.stringify(message) }));
    if (signal.aborted) throw new Cancelled();
  }

  /** Sends the response, and ends. */
  finish(message: JsonObject, status: number): void {
    this.#end();
    if (this.#reply.isDone && this.#stream === undefined) return;
    if (this.#stream === undefined) {
      this.#reply.code(status).send(message);
      return;
    }
    this.#stream.push(writeEvent({ data: JSON.stringify(message) }));
    this.#stream.push(null);
  }

  /** Ends a cancelled request. A client that is still there learns that the service stops. */
  abandon(id: RpcId): void {
    const stopping = new RpcError(codes.internal, 'The service is stopping.');
    this.finish(errorMessage(id, stopping), 503);
  }

  release(): void {
    this.#end();
  }

  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  /** Begins the stream, if it has not begun. */
  open(): Readable {
    if (this.#stream === undefined) {
      this.hold();
      beginEvents(this.#reply);
      this.#stream = new Readable({ read: () => this.#onTaken() });
      const request = this.#reply.request.raw;
      const beat = guard(request, () => this.#stream?.push(heartbeat));
      this.#timer = setInterval(beat, usualHeartbeatMs);
      this.#stream.once(
        'close',
        guard(request, () => this.#end()),
      );
      this.#reply.send(this.#stream);
    }
    return this.#stream;
  }

  async #push(text: string): Promise<void> {
    this.#taken = newPromise();
    const isRoom = this.open().push(text);
    if (!isRoom) await Promise.race([this.#taken.promise, this.hold().ended]);
  }

  #onTaken(): void {
    this.#taken.resolve();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#heldRequest?.release();
  }
}
