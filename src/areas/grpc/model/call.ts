/** A call of a method: its metadata, its deadline, and the metadata of its response. */

import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { guard } from '#kit/connection.js';
import type { Form } from '../messages/forms.js';
import type { Encoding } from '../messages/frames.js';
import { parseConnectTimeout, parseTimeout, type Values } from '../messages/metadata.js';
import { RpcError } from '../messages/rpc-error.js';
import type { GrpcParts } from './parts.js';

/** Node's limit of timers. */
const maxTimerMs = 2 ** 31 - 1;

export class Call {
  readonly request: Request;
  readonly reply: Reply;
  readonly form: Form;
  readonly parts: GrpcParts;
  /** Milliseconds that were left on arrival, by the real clock. */
  readonly timeoutMs: number | undefined;
  readonly headers: Values = {};
  readonly trailers: Values = {};
  encoding: Encoding = 'identity';
  /** Replaces the data of an echo. */
  echoedData: Buffer | undefined;
  /** The first reason for which the call ended early. */
  failure: RpcError | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onFailure: ((failure: RpcError) => void) | undefined;
  #begin: (() => void) | undefined;

  constructor(request: Request, reply: Reply, form: Form, parts: GrpcParts) {
    this.request = request;
    this.reply = reply;
    this.form = form;
    this.parts = parts;
    const { 'grpc-timeout': timeout, 'connect-timeout-ms': connectTimeout } = request.headers;
    const isConnect = form.protocol === 'Connect';
    const sent = isConnect ? connectTimeout : timeout;
    if (typeof sent !== 'string') return;
    this.timeoutMs = isConnect ? parseConnectTimeout(sent) : parseTimeout(sent);
    const expire = guard(request.raw, () => this.fail(deadlineExceeded()));
    this.#timer = setTimeout(expire, Math.min(this.timeoutMs, maxTimerMs));
    reply.raw.once(
      'close',
      guard(request.raw, () => clearTimeout(this.#timer)),
    );
  }

  /** Aborted when the call ends early: by its deadline, its client, or the service. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const { raw } = this.reply;
      const leave = () => this.fail(new RpcError('CANCELLED', 'The client has left.'));
      if (this.failure !== undefined || raw.destroyed) this.#controller.abort(ended);
      else raw.once('close', guard(this.request.raw, leave));
    }
    return this.#controller.signal;
  }

  fail(failure: RpcError): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    this.#controller?.abort(ended);
    this.#onFailure?.(failure);
  }

  /** Resolves with the first message of a stream, or once the method sends the head without one. */
  untilBegun<Value>(first: Promise<Value>): Promise<unknown> {
    const begun = new Promise<void>((resolve) => {
      this.#begin = resolve;
    });
    return Promise.race([first, begun]);
  }

  /** Sends the head of a stream before its first message. */
  begin(): void {
    this.#begin?.();
  }

  /** Resolves like the work, or rejects once the call fails. */
  async untilFailure<Value>(work: Promise<Value>): Promise<Value> {
    if (this.#timer === undefined) return work;
    const failed = new Promise<never>((_resolve, reject) => {
      this.#onFailure = reject;
      if (this.failure !== undefined) reject(this.failure);
    });
    return Promise.race([work, failed]);
  }

  /** Counts the call among the held requests until its client leaves. Throws 503 without room. */
  hold(): HeldRequest {
    const held = this.parts.held.hold(this.request, this.reply);
    const end = () => this.fail(new RpcError('UNAVAILABLE', 'The service is stopping.'));
    void held.ended.then(end);
    return held;
  }

  /** Waits, or until the call ends early. */
  async pause(ms: number): Promise<void> {
    const { signal } = this;
    if (signal.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const stop = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', guard(this.request.raw, stop), { once: true });
    });
  }
}

/** Shared, because Node creates an error with a stack for each abort without a reason. */
const ended = new Error('The call has ended.');

const deadlineExceeded = () =>
  new RpcError('DEADLINE_EXCEEDED', 'The deadline of the call is over.');
