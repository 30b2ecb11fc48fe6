/** An act of a rule on one request: instead of the endpoint, or on its response. */

import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { keepLetterCase } from '#http/headers/head-form.js';
import { type HeldRequest, type HeldRequests, pause } from '#http/held-requests.js';
import { handOver, holdNotes } from '#kit/verdict/handover.js';
import {
  closeUnprocessedRequest,
  endConnectionOf,
  goAwayBefore,
  leaveLaterRequests,
  resetConnectionOf,
} from '#wire/request.js';
import { hangMs, isBeforeWork, kindOf } from '../plan/fault-plan.js';
import type { DrawnFault } from '../plan/take-step.js';
import { DivertedResponse, type ResponseHead } from './divert-response.js';
import { type FailureResponse, ofSandbox } from './failure-response.js';
import type { NotedAttempt } from './noted-attempt.js';
import { deliver, deliveries } from './wire-faults.js';

export interface ActingOn {
  readonly request: Request;
  readonly reply: Reply;
  readonly held: HeldRequests;
  readonly attempt: NotedAttempt;
  readonly makeFailure: () => Promise<FailureResponse>;
}

export class FaultAct {
  readonly #fault: DrawnFault;
  readonly #on: ActingOn;
  readonly #place: HeldRequest | undefined;
  readonly #commonHeaders: ResponseHead['headers'];

  /** `mark` names the act. Throws 503 if too many requests are held. */
  constructor(fault: DrawnFault, mark: string, on: ActingOn) {
    const { request, reply, held } = on;
    this.#fault = fault;
    this.#on = on;
    const isHeld = fault.delayMs || fault.slow !== undefined || fault.hang;
    this.#place = isHeld ? held.hold(request, reply) : undefined;
    reply.header('x-simulated', 'true').header('x-fault', mark);
    if (!String(reply.getHeader('vary')).includes(ofSandbox)) addVary(reply, ofSandbox);
    this.#commonHeaders = { ...reply.getHeaders() } as ResponseHead['headers'];
  }

  get isBeforeWork(): boolean {
    return isBeforeWork(this.#fault);
  }

  async actInstead(): Promise<void> {
    // They may have arrived with this one.
    if (this.#fault.goaway === 'before') leaveLaterRequests(this.#on.request.raw);
    await this.#wait();
    if (this.#fault.status === undefined) await this.#lose();
    else await this.#failInstead();
    this.#place?.release();
  }

  /** Acts on the handler's response. Call before the handler. */
  async actOnResponse(): Promise<void> {
    const { request, reply, attempt } = this.#on;
    const { raw: response } = reply;
    const diverted = new DivertedResponse(response);
    holdNotes(request);
    const head = await diverted.head();
    if (head !== undefined) await this.#wait();
    if (head === undefined || diverted.isGone) {
      await attempt.note(false);
    } else if (this.#fault.after) {
      await this.#loseAfterwards(diverted);
    } else {
      const kind = kindOf(this.#fault) as keyof typeof deliveries | undefined;
      const send = kind === undefined ? deliver : deliveries[kind];
      const note = async (isSuccess: boolean) => {
        await handOver(request, !diverted.isGone);
        await attempt.note(isSuccess, head);
      };
      await send({ response, diverted, head, fault: this.#fault, note, heldRequest: this.#place });
      await attempt.note(false);
    }
    await handOver(request, false);
    this.#place?.release();
  }

  async #wait(): Promise<void> {
    const { delayMs = 0 } = this.#fault;
    if (delayMs > 0) await pause(delayMs, this.#place);
  }

  async #lose(): Promise<void> {
    const { hang, reset, refuse, goaway } = this.#fault;
    const { request, attempt } = this.#on;
    await attempt.note(false);
    if (hang) await pause(hangMs, this.#place);
    if (reset) resetConnectionOf(request.raw);
    else if (refuse) closeUnprocessedRequest(request.raw);
    else if (goaway) goAwayBefore(request.raw);
    else endConnectionOf(request.raw);
  }

  async #failInstead(): Promise<void> {
    const { reply, attempt, makeFailure } = this.#on;
    const { status, headers, body, given } = await makeFailure();
    await attempt.note(false, { status, headers });
    if (reply.raw.destroyed) return;
    keepLetterCase(reply, given);
    // Sent as bytes, because Node would send the head of a text in UTF-8.
    reply.code(status).headers(headers).send(Buffer.from(body));
  }

  async #loseAfterwards(response: DivertedResponse): Promise<void> {
    if (this.#fault.status === undefined) return this.#lose();
    const { attempt, makeFailure, request, reply } = this.#on;
    const { status, headers, body, given } = await makeFailure();
    await attempt.note(false, { status, headers });
    if (response.isGone) return;
    keepLetterCase(reply, given);
    const bytes = Buffer.from(body);
    const own = { ...headers, 'content-length': String(bytes.length) };
    response.begin({ status, headers: { ...this.#commonHeaders, ...own } });
    response.finish(request.method === 'HEAD' ? undefined : bytes);
  }
}

/** Passes the response on, and logs the attempt. Call before the handler. */
export async function forwardResponse({
  reply,
  attempt,
}: Pick<ActingOn, 'reply' | 'attempt'>): Promise<void> {
  const response = new DivertedResponse(reply.raw);
  const head = await response.head();
  await attempt.note(head !== undefined && head.status < 400, head);
  if (head !== undefined && !response.isGone) response.release(head);
}
