/** Carries messages of calls in a session. A call continues when its connection ends. */

import { EventEmitter } from 'node:events';
import { newPromise } from '#base/awaitable.js';
import { isObject, type JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import type { Log, Sandbox } from '#state/state.js';
import { isRpcId, type RpcId } from '../messages/message.js';
import { Cancelled, codes, RpcError } from '../messages/rpc-error.js';
import type { InputRequests } from '../model/ask.js';
import type { Channel } from '../model/call.js';
import type { McpParts } from '../model/parts.js';
import { countRunning } from '../model/running.js';
import { appendMessage, logOf, mainStream, type SessionEvent } from '../model/session.js';

/** A call may take this long, in real time. */
const maxCallMs = 5 * 60 * 1000;

export class SessionChannel implements Channel {
  /** Resolves when there is a message before the response. */
  readonly streaming: Promise<void>;
  /** The log was at this sequence when the calls began. */
  readonly start: number;
  readonly stream: string;
  readonly #parts: McpParts;
  readonly #request: Request;
  readonly #sandbox: Sandbox;
  readonly #log: Log<SessionEvent>;
  readonly #beginStreaming: () => void;
  readonly #ids: readonly RpcId[];
  readonly #lifetime = Object.assign(new EventEmitter(), { destroyed: false });
  #heldRequest: HeldRequest | undefined;
  #isStreaming = false;
  #hasLast = false;
  #asked = 0;

  private constructor(
    parts: McpParts,
    request: Request,
    sessionId: string,
    { start, stream, ids }: { start: number; stream: string; ids: readonly RpcId[] },
  ) {
    const { promise, resolve } = newPromise();
    this.streaming = promise;
    this.#beginStreaming = resolve;
    this.start = start;
    this.stream = stream;
    this.#ids = ids;
    this.#parts = parts;
    this.#request = request;
    this.#sandbox = request.sandbox;
    this.#log = logOf(request.sandbox, sessionId);
  }

  /** `ids` are the requests that a cancellation may name. */
  static async open(
    parts: McpParts,
    request: Request,
    sessionId: string,
    ids: readonly RpcId[],
    stream: string,
  ): Promise<SessionChannel> {
    const start = (await logOf(request.sandbox, sessionId).status())?.lastSequence ?? 0;
    return new SessionChannel(parts, request, sessionId, { start, stream, ids });
  }

  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  hold(): HeldRequest {
    if (this.#heldRequest === undefined) {
      const { detached } = this.#parts.services;
      this.#heldRequest = detached.holdUntilClosed(this.#request, this.#lifetime, maxCallMs);
      void countRunning(this.#sandbox, 'tools/call', this.#heldRequest);
      const heldRequest = this.#heldRequest;
      void ignoringOutages(() => this.#watchCancellation(heldRequest)).finally(heldRequest.release);
    }
    return this.#heldRequest;
  }

  async send(message: JsonObject): Promise<void> {
    if (this.hold().signal.aborted) throw new Cancelled();
    await this.append(message);
  }

  /** Appends a message to the stream; `isLast` ends it. */
  async append(message: JsonObject, isLast = false): Promise<void> {
    const last = isLast ? ({ isLast: true } as const) : {};
    const event = { kind: 'message', stream: this.stream, ...last } as const;
    const sequence = await appendMessage(this.#log, event, message);
    if (sequence === undefined) throw new Cancelled();
    this.#hasLast ||= isLast;
    this.#startStreaming();
  }

  async disconnect(): Promise<void> {
    if (this.stream === mainStream) return;
    this.hold();
    await appendMessage(this.#log, { kind: 'disconnect', stream: this.stream });
    this.#startStreaming();
  }

  #startStreaming(): void {
    this.#isStreaming = true;
    this.#beginStreaming();
  }

  /** Ends the stream, if it has begun and its last message does not end it. */
  async end(): Promise<void> {
    this.#heldRequest?.release();
    if (!this.#isStreaming || this.#hasLast || this.stream === mainStream) return;
    await appendMessage(this.#log, { kind: 'end', stream: this.stream });
  }

  /** Returns new ids of requests to the client, with their keys. */
  idsFor(requests: InputRequests): ReadonlyMap<RpcId, string> {
    return new Map(Object.keys(requests).map((key) => [`${this.stream}-${++this.#asked}`, key]));
  }

  /** Sends requests to the client, and returns its responses by their keys. */
  async ask(requests: InputRequests, ids: ReadonlyMap<RpcId, string>): Promise<JsonObject> {
    const start = (await this.#log.status())?.lastSequence ?? 0;
    for (const [id, key] of ids) {
      await this.send({ jsonrpc: '2.0', id, ...requests[key] });
    }
    return this.#repliesTo(new Map(ids), start);
  }

  async #repliesTo(keys: Map<RpcId, string>, start: number): Promise<JsonObject> {
    const { signal } = this.hold();
    const replies: Record<string, unknown> = {};
    let seen = start;
    while (keys.size > 0) {
      if (signal.aborted) throw new Cancelled();
      const entries = await this.#log.after(seen, 20);
      for (const { sequence, item, bytes } of entries) {
        seen = sequence;
        const key = item.kind === 'reply' ? keys.get(item.id) : undefined;
        if (key === undefined || item.kind !== 'reply') continue;
        keys.delete(item.id);
        replies[key] = resultIn(JSON.parse(String(bytes)));
      }
      if (entries.length === 0) {
        if ((await this.#log.status()) === undefined) throw new Cancelled();
        await this.#log.waitPast(seen, signal);
      }
    }
    return replies;
  }

  async #watchCancellation({ signal, release }: HeldRequest): Promise<void> {
    let seen = this.start;
    while (!signal.aborted) {
      const entries = await this.#log.after(seen, 50);
      for (const { sequence, item } of entries) {
        seen = sequence;
        if (item.kind === 'cancel' && isRpcId(item.id) && this.#ids.includes(item.id)) release();
      }
      if (entries.length > 0) continue;
      if ((await this.#log.status()) === undefined) return release();
      await this.#log.waitPast(seen, signal);
    }
  }
}

function resultIn(message: unknown): unknown {
  if (!isObject(message)) return undefined;
  const { error, result } = message;
  if (!isObject(error)) return result;
  throw new RpcError(codes.internal, `The client responded with an error: ${error.message}`);
}
