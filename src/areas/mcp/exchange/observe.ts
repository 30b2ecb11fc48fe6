/** Observes each request once, and shows it to the judge. */

import { randomBytes } from 'node:crypto';
import type { Http2ServerRequest } from 'node:http2';
import type { JsonObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import { type Arrival, arrivalBefore } from '#kit/verdict/exchange.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { sharedSandboxName } from '#state/state.js';
import type { Seen } from '../judge/observed.js';
import { judgeRequest, noteFailure, recognise } from '../judge/watch.js';
import { isOfStateless } from '../messages/is-stateless.js';
import { type Message, maxBatch, type RpcRequest, readMessage } from '../messages/message.js';
import { statelessRevision } from '../messages/revision.js';
import { RpcError } from '../messages/rpc-error.js';
import { isEndless } from '../misbehaviour/endless-cursor.js';
import { isCursorOf } from '../model/pages.js';
import { oldPaths, sessionSpace } from '../model/session.js';
import { usualTool } from '../tools/all-tools.js';
import { keepWatched, receivedBody, watchedOf } from './receive-body.js';

/** The shared sandbox has no judge, because all its clients would be one. */
export async function observe(reply: Reply, issuer?: IssuerSteering): Promise<void> {
  const { request } = reply;
  if (request.sandbox.name === sharedSandboxName || watchedOf(request) !== undefined) return;
  await ignoringOutages(async () => {
    const watched = await recognise(request, await seenIn(reply, issuer));
    keepWatched(request, watched);
    await judgeRequest(watched);
  });
}

/** Notes a failure of HTTP, also one before the handler. */
export async function observeFailure(reply: Reply): Promise<void> {
  if (reply.statusCode < 400) return;
  await observe(reply);
  const watched = watchedOf(reply.request);
  if (watched !== undefined) await noteFailure(watched, reply);
}

const connections = new WeakMap<object, string>();

/** Identifies the connection of HTTP/2; `undefined` for another one. */
function overlappingOf({ raw }: Request): string | undefined {
  const { session } = (raw as unknown as Http2ServerRequest).stream ?? {};
  if (session === undefined) return undefined;
  const known = connections.get(session) ?? randomBytes(6).toString('base64url');
  connections.set(session, known);
  return known;
}

/** Returns the arrival of a request by the clock of its sandbox. */
export async function arrivalInSandbox(reply: Reply): Promise<Arrival> {
  return arrivalBefore(reply, await reply.request.sandbox.now());
}

/** `issuer` is given for an address that needs a token. */
async function seenIn(reply: Reply, issuer: IssuerSteering | undefined): Promise<Seen> {
  const { request } = reply;
  const { sandbox, headers, query, method: httpMethod } = request;
  const { sessionId: inQuery } = query as { sessionId?: unknown };
  const sessionId = headers['mcp-session-id'] ?? inQuery;
  const stored =
    typeof sessionId === 'string' ? await sandbox.read(sessionSpace, sessionId) : undefined;
  const session = stored && { ...stored, id: String(sessionId) };
  const received = receivedBody(request);
  // A longer batch is rejected anyway.
  const value = Array.isArray(received) ? received.slice(0, maxBatch) : received;
  const messages = messagesIn(value);
  const overlapping = overlappingOf(request);
  const isStateless = session === undefined && isOfStateless(headers, messages[0]);
  return {
    ...{ httpMethod, headers, query: query as JsonObject, value, messages, session, isStateless },
    requests: messages.filter((each): each is RpcRequest => each.kind === 'request'),
    isBatch: Array.isArray(value),
    revision: session?.revision ?? (isStateless ? statelessRevision : undefined),
    isProtected: issuer !== undefined,
    login: await issuer?.loginOf(request),
    schemaOf: (tool) => usualTool(tool)?.inputSchema,
    isOld: Object.values<string | undefined>(oldPaths).includes(request.route?.path),
    isCursorOf: (method, cursor) => isEndless(cursor) || isCursorOf(method, cursor),
    ...(overlapping !== undefined && { overlapping }),
    ...(await arrivalInSandbox(reply)),
  };
}

/** Leaves invalid messages out; rules read them from the body. */
function messagesIn(value: unknown): readonly Message[] {
  return [value].flat().flatMap((each) => {
    try {
      return [readMessage(each)];
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return [];
    }
  });
}
