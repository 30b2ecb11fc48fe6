/** Responds to a POST of any revision. */

import type { Reply, Request } from '../../../http/exchange.js';
import type { Address } from '../exchange/address.js';
import { checkWriting } from '../exchange/protect.js';
import { checkTypes, receivedValue } from '../exchange/receive-body.js';
import { RpcExchange, withRpcErrors } from '../exchange/rpc-exchange.js';
import { isOfStateless } from '../messages/is-stateless.js';
import { type Message, readMessage } from '../messages/message.js';
import { caseOf } from '../misbehaviour/misbehaviours.js';
import { noteAcceptance } from '../misbehaviour/note-acceptance.js';
import type { McpParts } from '../model/parts.js';
import { serveBatch, serveInSession } from '../sessions/serve-session.js';
import { serveStateless } from '../stateless/serve-stateless.js';

export async function servePost(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<void> {
  checkTypes(request);
  await withRpcErrors(request, reply, () => serveValue(parts, request, reply, address));
}

async function serveValue(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<void> {
  const value = receivedValue(request);
  const { permission, misbehaviour } = address;
  if (misbehaviour !== undefined) await noteAcceptance(request, misbehaviour, value);
  if (Array.isArray(value)) {
    return serveBatch(new RpcExchange(parts, request, reply, address), value);
  }
  const message = readTolerantly(value, address);
  if (permission) await checkWriting(request, permission, [message]);
  const isStateless = isOfStateless(request.headers, message);
  const exchange = new RpcExchange(parts, request, reply, address, isStateless);
  return isStateless ? serveStateless(exchange, message) : serveInSession(exchange, message);
}

/** Reads a message. A misbehaviour may have sent the client parameters that no method knows. */
function readTolerantly(value: unknown, { misbehaviour }: Address): Message {
  const message = readMessage(value);
  const change = misbehaviour && caseOf(misbehaviour.name).params;
  if (change === undefined || message.kind !== 'request') return message;
  return { ...message, params: change(message.params), sent: message.params };
}
