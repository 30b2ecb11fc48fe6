/** Revision 2026-07-28: each request says everything that is needed, and there are no sessions. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Address } from '../exchange/address.js';
import type { RpcExchange } from '../exchange/rpc-exchange.js';
import { errorMessage, type Message, type RpcRequest, resultMessage } from '../messages/message.js';
import { sessionRevisions, statelessRevision } from '../messages/revision.js';
import { Cancelled, codes, failureOf, invalidParams, RpcError } from '../messages/rpc-error.js';
import { findMethod } from '../methods/methods.js';
import { serverInfo } from '../methods/server.js';
import { NeedsInput, requireCapabilities } from '../model/ask.js';
import { type Call, isLogLevel } from '../model/call.js';
import { countRunning } from '../model/running.js';
import { findTool } from '../tools/all-tools.js';
import { checkArgumentHeaders, checkHeaders } from './check-headers.js';
import { openState, type StateBinding, sealState } from './request-state.js';
import { ResponseStream } from './response-stream.js';
import { listen } from './subscriptions.js';

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

/** Responds to a message of this revision. */
export async function serveStateless(exchange: RpcExchange, message: Message): Promise<void> {
  if (message.kind === 'request') return serveRequest(exchange, message);
  if (message.kind === 'notification') return void exchange.reply.code(202).send();
  throw new RpcError(codes.invalidRequest, 'A client must not send responses.', undefined, 400);
}

async function serveRequest(exchange: RpcExchange, message: RpcRequest): Promise<void> {
  const { parts, request, reply } = exchange;
  const stream = new ResponseStream(reply, parts.services.held, (heldRequest) => {
    void countRunning(request.sandbox, message.method, heldRequest);
  });
  try {
    const { right, status } = await responseTo(exchange, message, stream);
    const sent = await exchange.respond(message, right);
    const isWrong = !stream.isOpen && exchange.sendWrongly(message, sent, () => stream.release());
    if (!isWrong) stream.finish(sent, status);
  } catch (error) {
    if (error instanceof Cancelled) {
      await exchange.close(message.id);
      stream.abandon(message.id);
    } else if (stream.isOpen) {
      parts.services.reportFailure(request, error);
      stream.finish(errorMessage(message.id, failureOf(error)), 200);
    } else {
      stream.release();
      throw error;
    }
  }
}

/** Returns a result, or an error of the protocol. */
async function responseTo(exchange: RpcExchange, message: RpcRequest, stream: ResponseStream) {
  try {
    await exchange.begin(message);
    const call = await readCall(exchange, message, stream);
    return { right: resultMessage(message.id, await run(call, message, stream)), status: 200 };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { right: errorMessage(message.id, error), status: error.status };
  }
}

function bindingOf({ sandbox, client }: Pick<Call, 'sandbox' | 'client'>, message: RpcRequest) {
  const { name, uri, arguments: args } = message.params;
  return {
    sandbox: sandbox.name,
    method: message.method,
    name: JSON.stringify([name ?? uri ?? null, args ?? null]),
    principal: client.principal,
  } satisfies StateBinding;
}

/** Checks what every request needs, in the order in which the errors are reported. */
async function readCall(
  { parts, request, address }: RpcExchange,
  message: RpcRequest,
  channel: ResponseStream,
): Promise<Call> {
  const { method, params } = message;
  const meta = readMeta(params);
  checkHeaders(request.headers, message, meta.version);
  if (meta.version !== statelessRevision) {
    throw unsupportedVersion(meta.version, address);
  }
  if (method !== 'subscriptions/listen' && findMethod(method, statelessRevision) === undefined) {
    throw new RpcError(codes.methodNotFound, `Unknown method: ${method}`, undefined, 404);
  }
  const { sandbox } = request;
  if (method === 'tools/call') {
    const tool = await findTool(sandbox, params.name);
    if (tool) checkArgumentHeaders(request.headers, tool.inputSchema, params.arguments);
  }
  const { inputResponses = {}, requestState } = params;
  if (!isObject(inputResponses)) throw invalidParams('inputResponses must be an object.');
  const client = { ...meta.client, principal: address.principal };
  const binding = bindingOf({ sandbox, client }, message);
  return {
    parts,
    sandbox,
    baseUrl: request.baseUrl,
    revision: statelessRevision,
    method,
    params,
    client,
    supported: address.supported,
    pageSize: address.pageSize,
    logLevel: meta.logLevel,
    inputs: inputResponses,
    state: openState(parts.mac, binding, requestState, await sandbox.now()),
    channel,
  };
}

const malformed = (message: string) => new RpcError(codes.invalidParams, message, undefined, 400);

function readMeta({ _meta: meta }: JsonObject) {
  if (!isObject(meta)) throw malformed('params._meta is missing.');
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = meta;
  if (typeof version !== 'string') throw malformed(`_meta needs ${metaKeys.version}.`);
  if (!isObject(capabilities)) throw malformed(`_meta needs ${metaKeys.capabilities}.`);
  const { [metaKeys.client]: info, [metaKeys.logLevel]: logLevel } = meta;
  if (info !== undefined && !isImplementation(info)) {
    throw malformed(`${metaKeys.client} needs a name and a version.`);
  }
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw malformed(`Unknown log level: ${logLevel}`);
  }
  return { version, client: { info, capabilities }, logLevel };
}

function isImplementation(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.name === 'string' && typeof value.version === 'string';
}

/** A revision of sessions is supported only after `initialize`. */
export function unsupportedVersion(requested: string, { supported }: Address): RpcError {
  const isOfSession = (sessionRevisions as readonly string[]).includes(requested);
  const listed = isOfSession ? supported.filter((each) => each === statelessRevision) : supported;
  return new RpcError(
    codes.unsupportedVersion,
    'Unsupported protocol version',
    { supported: [...listed].reverse(), requested },
    400,
  );
}

async function run(call: Call, message: RpcRequest, stream: ResponseStream): Promise<JsonObject> {
  if (call.method === 'subscriptions/listen') return listen(call, message.id, stream);
  const method = findMethod(call.method, call.revision);
  const _meta = { [metaKeys.server]: serverInfo(call.revision) };
  try {
    const result = { resultType: 'complete', ...(await method?.handle(call)) };
    return { ...result, ...method?.caching, _meta };
  } catch (error) {
    if (!(error instanceof NeedsInput)) throw error;
    requireCapabilities(call, error.requests);
    const { requests: inputRequests, state } = error;
    const sealed = state === undefined ? {} : { requestState: await sealFor(call, message, state) };
    const asked = Object.keys(inputRequests).length > 0 && { inputRequests };
    return { resultType: 'input_required', ...asked, ...sealed, _meta };
  }
}

async function sealFor(call: Call, message: RpcRequest, state: unknown): Promise<string> {
  const { parts, sandbox } = call;
  return sealState(parts.mac, bindingOf(call, message), state, await sandbox.now());
}
