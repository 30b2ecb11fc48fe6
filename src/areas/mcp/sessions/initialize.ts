/** The handshake that begins a session. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import type { Address } from '../exchange/address.js';
import type { RpcRequest } from '../messages/message.js';
import type { Revision } from '../messages/revision.js';
import { codes, invalidParams, RpcError } from '../messages/rpc-error.js';
import { capabilitiesOf, instructions, serverInfo } from '../methods/server.js';
import { createSession } from '../model/session.js';

export interface Begun {
  readonly sessionId: string;
  readonly result: JsonObject;
}

/** In characters of JSON, because sessions are stored. */
const maxLength = 16_384;

/** Begins a session of the requested revision, or of the newest of `offered`. */
export async function initialize(
  { sandbox }: Request,
  { params }: RpcRequest,
  address: Address,
  offered: readonly Revision[],
): Promise<Begun> {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParams('protocolVersion must be a string.');
  if (!isObject(capabilities)) throw invalidParams('capabilities must be an object.');
  if (!isObject(clientInfo)) throw invalidParams('clientInfo must be an object.');
  const length = JSON.stringify([capabilities, clientInfo]).length;
  if (length > maxLength) {
    throw invalidParams(`capabilities and clientInfo have at most ${maxLength} characters.`);
  }
  const usable = offered.filter((each) => address.supported.includes(each));
  const revision = usable.find((each) => each === protocolVersion) ?? usable[0];
  if (revision === undefined) throw noSession(protocolVersion, address);
  const { principal } = address;
  const session = { revision, client: clientInfo, capabilities, principal };
  const sessionId = await createSession(sandbox, session);
  return { sessionId, result: describeSession(revision) };
}

/** Makes the result of `initialize`. */
export function describeSession(revision: Revision): JsonObject {
  return {
    protocolVersion: revision,
    capabilities: capabilitiesOf(revision),
    serverInfo: serverInfo(revision),
    instructions,
  };
}

/** A client of sessions can only show this to its user, so it names the revisions. */
function noSession(requested: string, { supported }: Address): RpcError {
  const listed = [...supported].reverse();
  return new RpcError(
    codes.invalidParams,
    `Unsupported protocol version ${requested}. This server supports ${listed.join(', ')}.`,
    { supported: listed, requested },
    400,
  );
}
