/** The transport of 2024-11-05: a stream of events, and a second path for messages to the server. */

import { isObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { sendEvents, writeEvent } from '#http/sending/event-stream.js';
import type { Address } from '../exchange/address.js';
import type { RpcExchange } from '../exchange/rpc-exchange.js';
import { type Message, type RpcRequest, readMessage, resultMessage } from '../messages/message.js';
import { sseRevision } from '../messages/revision.js';
import { Cancelled } from '../messages/rpc-error.js';
import { wrongEndpoint } from '../misbehaviour/apply.js';
import type { McpParts } from '../model/parts.js';
import { countRunning, streamName } from '../model/running.js';
import {
  changeSession,
  createSession,
  deleteSession,
  mainStream,
  oldPaths,
  sessionSpace,
} from '../model/session.js';
import { followByGet } from './follow-stream.js';
import { describeSession } from './initialize.js';
import { respondTo, type SessionContext } from './run-calls.js';
import { receiveMessage } from './serve-session.js';
import { SessionChannel } from './session-channel.js';

/** Opens the stream; its first event names the path for messages. */
export async function openOldStream(
  parts: McpParts,
  request: Request,
  reply: Reply,
  address: Address,
) {
  if (!address.supported.includes(sseRevision)) {
    throw new HttpError(405, 'This address does not support revision 2024-11-05.', {
      headers: { allow: '' },
    });
  }
  const { sandbox } = request;
  const { pathname } = new URL(request.baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  return sendEvents(request, reply, parts.services.held, async function* (heldRequest) {
    void countRunning(sandbox, streamName, heldRequest);
    const sessionId = await createSession(sandbox, {
      revision: sseRevision,
      client: undefined,
      capabilities: {},
      principal: address.principal,
    });
    try {
      const messages = `${prefix}${oldPaths.messages}?sessionId=${sessionId}`;
      const revision = sseRevision;
      const stream = {
        sandbox,
        sessionId,
        revision,
        stream: mainStream,
        start: 0,
        heldRequest,
        hasIds: false,
      } as const;
      const events = await followByGet(stream);
      const { misbehaviour } = address;
      const wrong = misbehaviour && (await wrongEndpoint(request, misbehaviour));
      yield writeEvent({ event: 'endpoint', data: wrong ?? messages });
      yield* events;
    } finally {
      await deleteSession(sandbox, sessionId);
    }
  });
}

/** Receives a message; responses are on the stream. */
export async function receiveOldMessage(exchange: RpcExchange, value: unknown): Promise<void> {
  const { request, reply, address } = exchange;
  const { sessionId } = request.query as { sessionId?: unknown };
  if (typeof sessionId !== 'string') throw new HttpError(400, 'sessionId is missing.');
  const session = await request.sandbox.read(sessionSpace, sessionId);
  if (session?.revision !== sseRevision || session.principal !== address.principal) {
    throw new HttpError(404, 'There is no such session. Open a stream at /mcp/sse.');
  }
  const message = readMessage(value);
  reply.code(202).type('text/plain; charset=utf-8').send('Accepted');
  await receive({ exchange, sessionId, session }, message);
}

async function receive(context: SessionContext, message: Message): Promise<void> {
  if (message.kind !== 'request') return receiveMessage(context, message);
  const { exchange, sessionId } = context;
  const { parts, request } = exchange;
  const channel = await SessionChannel.open(parts, request, sessionId, [message.id], mainStream);
  try {
    const response =
      message.method === 'initialize'
        ? await begin(context, message)
        : await respondTo(context, channel, message);
    if (response !== undefined) await channel.append(response);
  } catch (error) {
    // The response to the POST was sent, and the client may have closed the stream.
    if (!(error instanceof Cancelled)) parts.services.reportFailure(request, error);
  } finally {
    await channel.end();
  }
}

async function begin({ exchange, sessionId }: SessionContext, { id, params }: RpcRequest) {
  const { capabilities, clientInfo } = params;
  await changeSession(exchange.request.sandbox, sessionId, (session) => ({
    ...session,
    client: isObject(clientInfo) ? clientInfo : undefined,
    capabilities: isObject(capabilities) ? capabilities : {},
  }));
  return resultMessage(id, describeSession(sseRevision));
}
