/** Responds to a POST of any revision. */

import { isJsonType } from '../../http/body/request-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { noteResponse } from './judge/watch.js';
import { errorMessage, type Message, maxBatch, readMessage } from './messages/message.js';
import { codes, RpcError } from './messages/rpc-error.js';
import { withoutEndless } from './misbehaviour/distort.js';
import { noteAcceptance } from './misbehaviour/note-acceptance.js';
import type { McpParts } from './parts.js';
import { checkWriting } from './protect.js';
import { isAcceptable, receivedId, receivedValue } from './receive-body.js';
import type { Address } from './revisions/address.js';
import { isOfStateless } from './revisions/is-stateless.js';
import { serveStateless } from './revisions/stateless.js';
import { beginSession, findSession, serveMessages } from './sessions/serve-session.js';

export async function servePost(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<void> {
  checkTypes(request);
  await withRpcErrors(request, reply, () => serveValue(parts, request, reply, address));
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
    await noteResponse(request, message);
    return reply.dropContent().code(status).send(message);
  }
}

function checkTypes(request: Request): void {
  if (!isJsonType(request.headers['content-type'])) {
    throw new HttpError(415, 'Content-Type must be application/json.');
  }
  if (!isAcceptable(request)) {
    throw new HttpError(406, 'Accept must list application/json and text/event-stream.');
  }
}

async function serveValue(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<void> {
  const value = receivedValue(request);
  const { principal, misbehaviour } = address;
  if (misbehaviour !== undefined) await noteAcceptance(request, misbehaviour, value);
  if (Array.isArray(value)) {
    const found = await findSession(request, principal);
    const messages = readBatch(value, found.session.revision);
    if (address.permission) await checkWriting(request, address.permission, messages);
    return serveMessages({ parts, request, address, ...found }, reply, messages, true);
  }
  const message = readTolerantly(value, address);
  if (address.permission) await checkWriting(request, address.permission, [message]);
  if (isOfStateless(request.headers, message)) {
    if (message.kind === 'request') {
      return serveStateless(parts, request, reply, message, address);
    }
    if (message.kind === 'notification') return void reply.code(202).send();
    throw new RpcError(codes.invalidRequest, 'A client must not send responses.', undefined, 400);
  }
  const isFirst = message.kind === 'request' && message.method === 'initialize';
  if (isFirst && request.headers['mcp-session-id'] === undefined) {
    return beginSession(request, reply, message, address);
  }
  const found = await findSession(request, principal);
  return serveMessages({ parts, request, address, ...found }, reply, [message], false);
}

function readTolerantly(value: unknown, { misbehaviour }: Address): Message {
  const message = readMessage(value);
  if (misbehaviour?.name !== 'endless-cursor' || message.kind !== 'request') return message;
  return { ...message, params: withoutEndless(message.params), sent: message.params };
}

function readBatch(values: readonly unknown[], revision: string): readonly Message[] {
  if (revision !== '2025-03-26') {
    throw new RpcError(codes.invalidRequest, `Revision ${revision} has no batches.`);
  }
  if (values.length === 0 || values.length > maxBatch) {
    throw new RpcError(codes.invalidRequest, `A batch has 1 to ${maxBatch} messages.`);
  }
  return values.map(readMessage);
}
