/** Revision 2026-07-28: each request says everything that is needed, and there are no sessions. */

import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { NeedsInput, requireCapabilities } from '../capabilities/ask.js';
import { type Call, isLogLevel } from '../capabilities/call.js';
import { findMethod } from '../capabilities/methods.js';
import { serverInfo } from '../capabilities/server.js';
import { listen } from '../capabilities/subscriptions.js';
import { noteClosed, noteResponse } from '../judge/watch.js';
import { errorMessage, type RpcRequest, resultMessage } from '../messages/message.js';
import { Cancelled, codes, failureOf, invalidParams, RpcError } from '../messages/rpc-error.js';
import { type Distorted, distortMessage, failInstead, wireOf } from '../misbehaviour/distort.js';
import { sendWire } from '../misbehaviour/send-wire.js';
import type { McpParts } from '../parts.js';
import { countRunning } from '../running.js';
import { findTool } from '../tools/all-tools.js';
import type { Address } from './address.js';
import { checkArgumentHeaders, checkHeaders } from './check-headers.js';
import { openState, type StateBinding, sealState } from './request-state.js';
import { ResponseStream } from './response-stream.js';
import { sessionRevisions, statelessRevision } from './revision.js';

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

/** Responds to a request of this revision. */
export async function serveStateless(
  parts: McpParts,
  request: Request,
  reply: Reply,
  message: RpcRequest,
  address: Address,
): Promise<void> {
  const { sandbox } = request;
  const stream = new ResponseStream(request, reply, parts.services.held, (place) => {
    void countRunning(sandbox, message.method, place);
  });
  try {
    await failInstead(distortedOf(request, message, address));
    const call = await readCall(parts, request, message, address, stream);
    const result = await run(call, message, stream);
    await finish(parts, request, reply, stream, { message, address, result });
  } catch (error) {
    if (error instanceof Cancelled) {
      await noteClosed(request, message.id);
      stream.abandon(message.id);
    } else if (error instanceof RpcError) {
      const failure = errorMessage(message.id, error);
      await noteResponse(request, failure);
      stream.finish(failure, error.status);
    } else if (stream.isOpen) {
      parts.services.reportFailure(request, error);
      stream.finish(errorMessage(message.id, failureOf(error)), 200);
    } else {
      stream.release();
      throw error;
    }
  }
}

function distortedOf(
  request: Request,
  { method, params, sent = params }: RpcRequest,
  { misbehaviour }: Pick<Address, 'misbehaviour'>,
): Distorted | undefined {
  return misbehaviour && { request, misbehaviour, method, params: sent, isStateless: true };
}

interface Finished {
  readonly message: RpcRequest;
  readonly address: Address;
  readonly result: JsonObject;
}

/** Sends the result, in the wrong way if the address misbehaves. */
async function finish(
  { services }: McpParts,
  request: Request,
  reply: Reply,
  stream: ResponseStream,
  { message, address: { misbehaviour }, result }: Finished,
): Promise<void> {
  const right = resultMessage(message.id, result);
  await noteResponse(request, right);
  const distorted = distortedOf(request, message, { misbehaviour });
  if (distorted === undefined) return stream.finish(right, 200);
  const sent = await distortMessage(distorted, right);
  const wire = stream.isOpen ? undefined : wireOf(distorted, sent);
  if (wire === undefined) return stream.finish(sent, 200);
  stream.release();
  sendWire(request, reply, services.held, wire);
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
  parts: McpParts,
  request: Request,
  message: RpcRequest,
  address: Address,
  channel: ResponseStream,
): Promise<Call> {
  const { method, params } = message;
  const meta = readMeta(params);
  checkHeaders(request.headers, message, meta.version);
  if (meta.version !== statelessRevision || !address.supported.includes(statelessRevision)) {
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
    return { resultType: 'input_required', inputRequests, ...sealed, _meta };
  }
}

async function sealFor(call: Call, message: RpcRequest, state: unknown): Promise<string> {
  const { parts, sandbox } = call;
  return sealState(parts.mac, bindingOf(call, message), state, await sandbox.now());
}
