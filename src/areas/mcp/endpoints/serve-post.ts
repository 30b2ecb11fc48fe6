/** Responds to a POST of any revision. */

import type { Reply, Request } from '#http/exchange.js';
import type { Address } from '../exchange/address.js';
import { arrivalInSandbox } from '../exchange/observe.js';
import { checkWriting } from '../exchange/protect.js';
import { postedValue } from '../exchange/receive-body.js';
import { RpcExchange } from '../exchange/rpc-exchange.js';
import { isOfStateless } from '../messages/is-stateless.js';
import { type Message, readMessage } from '../messages/message.js';
import { statelessRevision } from '../messages/revision.js';
import { caseOf } from '../misbehaviour/misbehaviours.js';
import { noteAcceptance } from '../misbehaviour/note-acceptance.js';
import type { McpParts } from '../model/parts.js';
import { readBatch, serveInSession } from '../sessions/serve-session.js';
import { serveStateless } from '../stateless/serve-stateless.js';

export async function servePost(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<void> {
  const value = postedValue(request);
  const { permission, misbehaviour } = address;
  if (misbehaviour !== undefined) {
    await noteAcceptance(request, misbehaviour, value, (await arrivalInSandbox(reply)).timeMs);
  }
  const isBatch = Array.isArray(value);
  const messages = isBatch
    ? await readBatch(request, address, value)
    : [readTolerantly(value, address)];
  if (permission) await checkWriting(request, permission, messages);
  const [message] = messages;
  // A server of older revisions does not know the form of 2026-07-28.
  const isModern = address.supported.includes(statelessRevision);
  const isStateless = !isBatch && isModern && isOfStateless(request.headers, message);
  const exchange = new RpcExchange(parts, reply, address, isStateless);
  return isStateless && message !== undefined
    ? serveStateless(exchange, message)
    : serveInSession(exchange, messages, isBatch);
}

/** Reads a message. A misbehaviour may have sent the client parameters that no method knows. */
function readTolerantly(value: unknown, { misbehaviour }: Address): Message {
  const message = readMessage(value);
  const change = misbehaviour && caseOf(misbehaviour.name).params;
  if (change === undefined || message.kind !== 'request') return message;
  return { ...message, params: change(message.params), sent: message.params };
}
