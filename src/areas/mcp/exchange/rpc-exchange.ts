/** A request of a client, and the way of its responses: past the judge, and past a misbehaviour. */

import type { JsonObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import { noteForms, noteResponse, noteSession } from '../judge/watch.js';
import { errorMessage, type RpcId, type RpcRequest } from '../messages/message.js';
import { RpcError } from '../messages/rpc-error.js';
import { distort, failInstead, type Meeting, wireOf } from '../misbehaviour/apply.js';
import { sendWire } from '../misbehaviour/send-wire.js';
import type { InputRequests } from '../model/ask.js';
import type { McpParts } from '../model/parts.js';
import type { Address } from './address.js';
import { receivedId, watchedOf } from './receive-body.js';

export class RpcExchange {
  readonly parts: McpParts;
  readonly request: Request;
  readonly reply: Reply;
  readonly address: Address;
  readonly #isStateless: boolean;

  constructor(parts: McpParts, reply: Reply, address: Address, isStateless = false) {
    this.parts = parts;
    this.request = reply.request;
    this.reply = reply;
    this.address = address;
    this.#isStateless = isStateless;
  }

  /** Begins to serve a message. Throws the failure of a misbehaviour. */
  async begin(message: RpcRequest): Promise<void> {
    const meeting = this.#meeting(message);
    if (meeting !== undefined) await failInstead(meeting);
  }

  /** Returns what is sent for the right response. */
  async respond(message: RpcRequest, right: JsonObject): Promise<JsonObject> {
    await note(this.request, right);
    const meeting = this.#meeting(message);
    return meeting === undefined ? right : distort(meeting, right);
  }

  /** Sends a response in a wrong way if a misbehaviour is about that, and returns whether it is. */
  sendWrongly(message: RpcRequest, response: JsonObject, beforeSending = () => {}): boolean {
    const meeting = this.#meeting(message);
    const wire = meeting && wireOf(meeting, response);
    if (wire === undefined) return false;
    beforeSending();
    sendWire(this.reply, this.parts.services.held, wire);
    return true;
  }

  /** Notes that the client has closed a request, which gets no response. */
  close(id: RpcId): Promise<void> {
    return note(this.request, { id, error: { code: 0, message: 'closed by the client' } });
  }

  /** Notes requests to the client, by their ids. */
  async asks(requests: InputRequests, ids: ReadonlyMap<RpcId, string>): Promise<void> {
    const watched = watchedOf(this.request);
    if (watched !== undefined) await noteForms(watched, requests, ids);
  }

  async beganSession(sessionId: string): Promise<void> {
    const watched = watchedOf(this.request);
    if (watched !== undefined) await noteSession(watched, sessionId);
  }

  /** Returns `undefined` if the address does not misbehave. */
  #meeting({ method, params, sent = params }: RpcRequest): Meeting | undefined {
    const { request, address } = this;
    const { misbehaviour } = address;
    const isStateless = this.#isStateless;
    return misbehaviour && { request, misbehaviour, method, params: sent, isStateless };
  }
}

/** Sends errors of the protocol as JSON-RPC errors. */
export async function withRpcErrors(
  request: Request,
  reply: Reply,
  run: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const status = error.status === 200 ? 400 : error.status;
    const message = errorMessage(receivedId(request), error);
    await note(request, message);
    return reply.dropContent().code(status).send(message);
  }
}

async function note(request: Request, message: JsonObject): Promise<void> {
  const watched = watchedOf(request);
  if (watched !== undefined) await noteResponse(watched, message);
}
