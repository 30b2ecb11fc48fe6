/** Streamable HTTP of the revisions 2025-03-26 to 2025-11-25. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { JsonObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import { beginEvents, heartbeat, streamEvents, writeEvent } from '#http/sending/event-stream.js';
import type { Address } from '../exchange/address.js';
import type { RpcExchange } from '../exchange/rpc-exchange.js';
import { isOfStateless } from '../messages/is-stateless.js';
import {
  type Message,
  maxBatch,
  type RpcNotification,
  type RpcReply,
  type RpcRequest,
  readMessage,
  resultMessage,
} from '../messages/message.js';
import { isSince, sessionRevisions, statelessRevision } from '../messages/revision.js';
import { Cancelled, codes, RpcError } from '../messages/rpc-error.js';
import type { McpParts } from '../model/parts.js';
import { countRunning, streamName } from '../model/running.js';
import {
  appendMessage,
  changeSession,
  deleteSession,
  logOf,
  newListener,
  type Session,
  sessionSpace,
} from '../model/session.js';
import {
  eventIdOf,
  type Followed,
  followByGet,
  followStream,
  parseEventId,
} from './follow-stream.js';
import { initialize } from './initialize.js';
import { respondTo, type SessionContext } from './run-calls.js';
import { SessionChannel } from './session-channel.js';

/** Returns the messages of a batch, which only sessions of revision 2025-03-26 have. */
export async function readBatch(
  request: Request,
  address: Address,
  values: readonly unknown[],
): Promise<readonly Message[]> {
  const isModern = address.supported.includes(statelessRevision);
  if (isModern && isOfStateless(request.headers, firstOf(values))) {
    const message = `Revision ${statelessRevision} has no batches. Send each message in its own POST.`;
    throw new RpcError(codes.invalidRequest, message);
  }
  const { revision } = (await findSession(request, address)).session;
  if (revision !== '2025-03-26') {
    throw new RpcError(codes.invalidRequest, `Revision ${revision} has no batches.`);
  }
  if (values.length === 0 || values.length > maxBatch) {
    throw new RpcError(codes.invalidRequest, `A batch has 1 to ${maxBatch} messages.`);
  }
  return values.map(readMessage);
}

/** Returns `undefined` for a malformed message. */
function firstOf([value]: readonly unknown[]): Message | undefined {
  try {
    return readMessage(value);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

/** Responds to the messages of a POST; `initialize` begins a session. */
export async function serveInSession(
  exchange: RpcExchange,
  messages: readonly Message[],
  isBatch: boolean,
): Promise<void> {
  const { request, address } = exchange;
  const [first] = messages;
  const isFirst = !isBatch && first?.kind === 'request' && first.method === 'initialize';
  if (isFirst && request.headers['mcp-session-id'] === undefined) {
    return beginSession(exchange, first);
  }
  const found = await findSession(request, address);
  return serveMessages({ exchange, ...found }, messages, isBatch);
}

async function beginSession(exchange: RpcExchange, message: RpcRequest): Promise<void> {
  await exchange.begin(message);
  const { request, reply, address } = exchange;
  const { sessionId, result } = await initialize(request, message, address, sessionRevisions);
  const sent = await exchange.respond(message, resultMessage(message.id, result));
  await exchange.beganSession(sessionId);
  reply.header('mcp-session-id', sessionId).send(sent);
}

const reject = (status: number, message: string) =>
  new RpcError(codes.invalidRequest, message, undefined, status);

/** Finds the session of a request. Throws 400 without an id, and 404 for an unknown one. */
export async function findSession(
  { headers, sandbox }: Request,
  { principal, supported }: Pick<Address, 'principal' | 'supported'>,
): Promise<{ sessionId: string; session: Session }> {
  const { 'mcp-session-id': sessionId, 'mcp-protocol-version': version } = headers;
  if (version !== undefined && !(supported as readonly unknown[]).includes(version)) {
    throw reject(400, `Unsupported MCP-Protocol-Version: ${version}`);
  }
  if (typeof sessionId !== 'string') {
    throw reject(400, 'Mcp-Session-Id is missing. Begin a session with initialize.');
  }
  const session = await sandbox.read(sessionSpace, sessionId);
  if (session === undefined || session.principal !== principal) {
    throw reject(404, 'There is no such session. Begin a new one with initialize.');
  }
  return { sessionId, session };
}

async function serveMessages(
  context: SessionContext,
  messages: readonly Message[],
  isBatch: boolean,
): Promise<void> {
  const { exchange, sessionId } = context;
  const { parts, request, reply } = exchange;
  for (const message of messages) {
    if (message.kind !== 'request') await receiveMessage(context, message);
  }
  const requests = messages.filter((each): each is RpcRequest => each.kind === 'request');
  for (const each of requests) await exchange.begin(each);
  const [first] = requests;
  if (first === undefined) {
    reply.code(202).send();
    return;
  }
  const ids = requests.map(({ id }) => id);
  const stream = randomBytes(6).toString('hex');
  const channel = await SessionChannel.open(parts, request, sessionId, ids, stream);
  const responses = runAll(context, channel, requests);
  await Promise.race([responses, channel.streaming]);
  if (!channel.isStreaming) {
    const sent = await responses;
    const [response] = sent;
    if (response !== undefined && exchange.sendWrongly(first, response)) return;
    if (response !== undefined) reply.send(isBatch ? sent : response);
    else reply.code(202).send();
    return;
  }
  sendStream(context, channel);
}

/** Runs the requests at once. When they stream, the responses are on the stream. */
async function runAll(
  context: SessionContext,
  channel: SessionChannel,
  requests: readonly RpcRequest[],
): Promise<readonly JsonObject[]> {
  const early: JsonObject[] = [];
  const isSingle = requests.length === 1;
  const flush = async () => {
    for (const response of early.splice(0)) await channel.append(response, isSingle);
  };
  try {
    await Promise.all(
      requests.map(async (message) => {
        const response = await respondTo(context, channel, message);
        if (response !== undefined) early.push(response);
        if (channel.isStreaming) await flush();
      }),
    );
  } catch (error) {
    // The session has ended.
    if (!(error instanceof Cancelled)) throw error;
  } finally {
    await channel.end();
  }
  return early;
}

function sendStream(context: SessionContext, channel: SessionChannel): void {
  const { exchange, sessionId, session } = context;
  const { parts, request, reply } = exchange;
  const { stream, start } = channel;
  beginEvents(reply);
  const heldRequest = parts.services.held.hold(request, reply);
  const { revision } = session;
  const followed: Followed = {
    ...{ sandbox: request.sandbox, sessionId, revision, stream, start, heldRequest },
    hasIds: true,
  };
  reply.send(streamEvents(heldRequest, withPriming(followStream(followed), followed, session)));
}

/**
 * Since 2025-11-25, a stream begins with an id, so that a client can resume it at once; before, with
 * a comment, so that the head is sent at once.
 */
async function* withPriming(
  events: AsyncGenerator<string>,
  { stream, start }: Followed,
  { revision }: Session,
): AsyncGenerator<string> {
  if (!isSince(revision, '2025-11-25')) return yield* withHeartbeat(events);
  yield writeEvent({ id: eventIdOf(stream, start), data: '' });
  yield* events;
}

export function receiveMessage(
  context: SessionContext,
  message: RpcNotification | RpcReply,
): Promise<void> {
  return message.kind === 'reply'
    ? receiveReply(context, message)
    : receiveNotification(context, message);
}

async function receiveNotification(
  { exchange, sessionId }: SessionContext,
  { method, params }: RpcNotification,
): Promise<void> {
  const { sandbox } = exchange.request;
  if (method === 'notifications/initialized') {
    await changeSession(sandbox, sessionId, (session) => ({ ...session, isInitialized: true }));
  }
  if (method === 'notifications/cancelled') {
    const { requestId: id } = params as { requestId?: string | number };
    if (id !== undefined) await appendMessage(logOf(sandbox, sessionId), { kind: 'cancel', id });
  }
}

async function receiveReply(
  { exchange, sessionId }: SessionContext,
  { id, result, error }: RpcReply,
): Promise<void> {
  const { sandbox } = exchange.request;
  const message = { ...(result && { result }), ...(error && { error }) };
  await appendMessage(logOf(sandbox, sessionId), { kind: 'reply', id }, message);
}

/** Responds to a GET: the main stream, or the rest of the stream of an event id. */
export async function serveListener(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
): Promise<Readable | undefined> {
  const { sandbox, headers } = request;
  const { sessionId, session } = await findSession(request, address);
  beginEvents(reply);
  if (request.method === 'HEAD') return Readable.from([]);
  const lastSequence = (await logOf(sandbox, sessionId).status())?.lastSequence ?? 0;
  const sent = headers['last-event-id'];
  const resumed = typeof sent === 'string' && sent !== '' ? parseEventId(sent) : undefined;
  const heldRequest = parts.services.held.hold(request, reply);
  void countRunning(sandbox, streamName, heldRequest);
  const { stream, start } = await positionOf(sandbox, sessionId, resumed, lastSequence);
  const followed: Followed = {
    ...{ sandbox, sessionId, revision: session.revision, stream, start, heldRequest },
    hasIds: true,
    isResumed: true,
  };
  const events = await followByGet(followed);
  // The id at the start of a resumed stream would repeat the last one.
  const isNew = resumed === undefined || stream !== resumed.stream;
  return streamEvents(
    heldRequest,
    isNew ? withPriming(events, followed, session) : withHeartbeat(events),
  );
}

/** Begins with a comment, so that the head is sent at once. */
async function* withHeartbeat(events: AsyncGenerator<string>): AsyncGenerator<string> {
  yield heartbeat;
  yield* events;
}

/** A stream that has ended has nothing to resume, so a stream for other messages follows. */
async function positionOf(
  sandbox: Request['sandbox'],
  sessionId: string,
  resumed: ReturnType<typeof parseEventId>,
  lastSequence: number,
): Promise<Pick<Followed, 'stream' | 'start'>> {
  const listener = { stream: newListener(), start: lastSequence };
  if (resumed === undefined) return listener;
  const { stream, sequence } = resumed;
  const [entry] = await logOf(sandbox, sessionId).after(sequence - 1, 1);
  // The first id of a stream has the sequence of another stream's message.
  const isOver =
    entry?.sequence === sequence && 'isLast' in entry.item && entry.item.stream === stream;
  return isOver ? listener : { stream, start: sequence };
}

/** Responds to a DELETE, which ends the session. */
export async function endSession(request: Request, reply: Reply, address: Address): Promise<void> {
  const { sessionId } = await findSession(request, address);
  await deleteSession(request.sandbox, sessionId);
  reply.code(204).send();
}
