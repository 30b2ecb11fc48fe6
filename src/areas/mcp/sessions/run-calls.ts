/** Runs the requests of one POST in a session. */

import type { JsonObject } from '../../../base/json-object.js';
import type { Request } from '../../../http/exchange.js';
import { NeedsInput, requireCapabilities } from '../capabilities/ask.js';
import { type Call, isLogLevel } from '../capabilities/call.js';
import { findMethod } from '../capabilities/methods.js';
import { noteClosed, noteResponse } from '../judge/watch.js';
import { errorMessage, type RpcRequest, resultMessage } from '../messages/message.js';
import { Cancelled, codes, failureOf, invalidParams, RpcError } from '../messages/rpc-error.js';
import { type Distorted, distortMessage } from '../misbehaviour/distort.js';
import type { McpParts } from '../parts.js';
import type { Address } from '../revisions/address.js';
import { fitResult } from '../revisions/fit-result.js';
import { appendMessage, changeSession, logOf, maxSubscriptions, type Session } from './session.js';
import type { SessionChannel } from './session-channel.js';

export interface SessionContext {
  readonly parts: McpParts;
  readonly request: Request;
  readonly sessionId: string;
  readonly session: Session;
  readonly address: Address;
}

const maxUriLength = 2000;

/** A client that responds with invalid input is asked again, but not forever. */
const maxRounds = 3;

/** Returns the response to a request; `undefined` if it was cancelled. */
export async function respondTo(
  context: SessionContext,
  channel: SessionChannel,
  message: RpcRequest,
): Promise<JsonObject | undefined> {
  const { request } = context;
  const response = await rightResponse(context, channel, message);
  if (response === undefined) {
    await noteClosed(request, message.id);
    return undefined;
  }
  await noteResponse(request, response);
  const distorted = distortedOf(context, message);
  return distorted === undefined ? response : distortMessage(distorted, response);
}

/** Returns `undefined` if the address does not misbehave. */
export function distortedOf(
  { request, address: { misbehaviour } }: Pick<SessionContext, 'request' | 'address'>,
  { method, params, sent = params }: RpcRequest,
): Distorted | undefined {
  return misbehaviour && { request, misbehaviour, method, params: sent, isStateless: false };
}

async function rightResponse(
  context: SessionContext,
  channel: SessionChannel,
  message: RpcRequest,
): Promise<JsonObject | undefined> {
  const { parts, request, session } = context;
  try {
    const result = await resultOf(context, channel, message);
    return resultMessage(message.id, fitResult(result, session.revision));
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    if (error instanceof RpcError) return errorMessage(message.id, error);
    const failure = failureOf(error);
    if (!(error instanceof Error) || failure.message !== error.message) {
      parts.services.reportFailure(request, error);
    }
    return errorMessage(message.id, failure);
  }
}

async function resultOf(
  context: SessionContext,
  channel: SessionChannel,
  message: RpcRequest,
): Promise<JsonObject> {
  const ofSession = sessionMethods.get(message.method);
  if (ofSession !== undefined) return ofSession(context, message.params);
  const { revision } = context.session;
  const method = findMethod(message.method, revision);
  if (method === undefined) {
    throw new RpcError(codes.methodNotFound, `Unknown method: ${message.method}`);
  }
  let call = callOf(context, channel, message);
  for (let round = 0; round < maxRounds; round++) {
    try {
      return await method.handle(call);
    } catch (error) {
      if (!(error instanceof NeedsInput)) throw error;
      requireCapabilities(call, error.requests);
      const inputs = { ...call.inputs, ...(await channel.ask(error.requests)) };
      call = { ...call, inputs, state: error.state };
    }
  }
  throw invalidParams(`The client sent invalid input ${maxRounds} times.`);
}

function callOf(
  { parts, request, session, address }: SessionContext,
  channel: SessionChannel,
  { method, params }: RpcRequest,
): Call {
  return {
    parts,
    sandbox: request.sandbox,
    baseUrl: request.baseUrl,
    revision: session.revision,
    method,
    params,
    client: {
      info: session.client,
      capabilities: session.capabilities,
      principal: session.principal,
    },
    supported: address.supported,
    pageSize: address.pageSize,
    logLevel: session.logLevel,
    inputs: {},
    state: undefined,
    channel,
  };
}

type SessionMethod = (context: SessionContext, params: JsonObject) => Promise<JsonObject>;

/** Methods that change the session. */
const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map(
  Object.entries<SessionMethod>({
    'logging/setLevel': async (context, { level: logLevel }) => {
      if (!isLogLevel(logLevel)) throw invalidParams(`Unknown log level: ${logLevel}`);
      await change(context, (session) => ({ ...session, logLevel }));
      return {};
    },
    'resources/subscribe': async (context, { uri }) => {
      if (typeof uri !== 'string') throw invalidParams('uri must be a string.');
      if (uri.length > maxUriLength) {
        throw invalidParams(`uri has at most ${maxUriLength} characters.`);
      }
      const { subscriptions } = context.session;
      if (subscriptions.length >= maxSubscriptions && !subscriptions.includes(uri)) {
        throw invalidParams(`A session has at most ${maxSubscriptions} subscriptions.`);
      }
      await change(context, (session) => ({
        ...session,
        subscriptions: [...new Set([...session.subscriptions, uri])],
      }));
      return {};
    },
    'resources/unsubscribe': async (context, { uri }) => {
      if (typeof uri !== 'string') throw invalidParams('uri must be a string.');
      await change(context, (session) => ({
        ...session,
        subscriptions: session.subscriptions.filter((each) => each !== uri),
      }));
      return {};
    },
  }),
);

async function change(
  { request: { sandbox }, sessionId }: SessionContext,
  make: (session: Session) => Session,
): Promise<void> {
  await changeSession(sandbox, sessionId, make);
  await appendMessage(logOf(sandbox, sessionId), { kind: 'changed' });
}
