/** Runs the requests of one POST in a session. */

import type { JsonObject } from '#base/json-object.js';
import type { RpcExchange } from '../exchange/rpc-exchange.js';
import { errorMessage, type RpcRequest, resultMessage } from '../messages/message.js';
import { Cancelled, codes, failureOf, invalidParams, RpcError } from '../messages/rpc-error.js';
import { findMethod } from '../methods/methods.js';
import { NeedsInput, requireCapabilities } from '../model/ask.js';
import { type Call, isLogLevel } from '../model/call.js';
import {
  appendMessage,
  changeSession,
  logOf,
  maxSubscriptions,
  type Session,
} from '../model/session.js';
import { fitResult } from './fit-result.js';
import type { SessionChannel } from './session-channel.js';

export interface SessionContext {
  readonly exchange: RpcExchange;
  readonly sessionId: string;
  readonly session: Session;
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
  const { exchange } = context;
  const response = await rightResponse(context, channel, message);
  if (response !== undefined) return exchange.respond(message, response);
  await exchange.close(message.id);
  return undefined;
}

async function rightResponse(
  context: SessionContext,
  channel: SessionChannel,
  message: RpcRequest,
): Promise<JsonObject | undefined> {
  const { exchange, session } = context;
  try {
    const result = await resultOf(context, channel, message);
    return resultMessage(message.id, fitResult(result, session.revision));
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    if (error instanceof RpcError) return errorMessage(message.id, error);
    const failure = failureOf(error);
    if (!(error instanceof Error) || failure.message !== error.message) {
      exchange.parts.services.reportFailure(exchange.request, error);
    }
    return errorMessage(message.id, failure);
  }
}

async function resultOf(
  context: SessionContext,
  channel: SessionChannel,
  message: RpcRequest,
): Promise<JsonObject> {
  const { exchange } = context;
  const ofSession = sessionMethods.get(message.method);
  if (ofSession !== undefined) return ofSession(context, message.params);
  const { revision } = context.session;
  const method = findMethod(message.method, revision);
  if (method === undefined) {
    throw new RpcError(codes.methodNotFound, `Unknown method: ${message.method}`);
  }
  let call = callOf(context, channel, message);
  for (let round = 0; ; round++) {
    try {
      return await method.handle(call);
    } catch (error) {
      if (!(error instanceof NeedsInput)) throw error;
      if (round === maxRounds) {
        throw invalidParams(`The client sent invalid input ${maxRounds} times.`);
      }
      requireCapabilities(call, error.requests);
      const ids = channel.idsFor(error.requests);
      await exchange.asks(error.requests, ids);
      const inputs = { ...call.inputs, ...(await channel.ask(error.requests, ids)) };
      call = { ...call, inputs, state: error.state };
    }
  }
}

function callOf(
  { exchange: { parts, request, address }, session }: SessionContext,
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
  { exchange, sessionId }: SessionContext,
  make: (session: Session) => Session,
): Promise<void> {
  const { sandbox } = exchange.request;
  await changeSession(sandbox, sessionId, make);
  await appendMessage(logOf(sandbox, sessionId), { kind: 'changed' });
}
