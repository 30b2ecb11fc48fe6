/** Returns what the service has received, with the metadata that the client requests. */

import type { Duration } from '@bufbuild/protobuf/wkt';
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt';
import { checkSettableHeaders } from '#http/headers/settable-headers.js';
import { Echo, type EchoRequest, type Metadata } from '../generated/practice/v1/echo_pb.js';
import { badFields, detailsOf, fieldFault } from '../messages/details.js';
import { maxMessageBytes } from '../messages/frames.js';
import { isBinary, type Values } from '../messages/metadata.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { serve } from '../model/method.js';
import { metadataOf } from './metadata-of.js';

export const maxDelayMs = 60_000;
export const maxEchoCount = 1000;
const maxTextLength = 64 * 1024;

/** Adds metadata of the request to metadata of the response. */
function addMetadata(to: Values, field: string, given: readonly Metadata[], call: Call): void {
  const pairs = given.flatMap(({ name, values }) => values.map((value) => [name, value] as const));
  const { deniedHeaders: denied } = call.request.exchanges;
  const faults = checkSettableHeaders(pairs, field, { denied, isTrailer: field === 'trailers' });
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const message = valueFault(key, value);
    if (message !== undefined) faults.push({ field, message });
  }
  if (faults.length > 0) {
    const message = faults.map((fault) => fault.message).join(' ');
    throw new RpcError('INVALID_ARGUMENT', message, detailsOf([badFields(faults)]));
  }
  for (const { name, values } of given) to[name.toLowerCase()] = [...values];
}

function valueFault(name: string, value: string): string | undefined {
  if (/^(?:grpc-|connect-|content-type$)/.test(name)) return `The protocol sets ${name}.`;
  if (isBinary(name) ? base64.test(value) : visible.test(value)) return undefined;
  return `Values of ${name} must be ${isBinary(name) ? 'Base64' : 'visible ASCII'}.`;
}

const base64 = /^[\w+/-]*={0,2}$/;
const visible = /^[\x20-\x7e]*$/;

async function pauseFor(call: Call, delay: Duration | undefined): Promise<void> {
  if (delay === undefined) return;
  const ms = durationMs(delay);
  if (!(ms >= 0 && ms <= maxDelayMs)) throw fieldFault('delay', 'delay must be from 0 to 60 s.');
  await call.pause(ms);
  if (call.failure !== undefined) throw call.failure;
}

function responseTo({ text, data, responseBytes }: EchoRequest, call: Call) {
  if (responseBytes < 0 || responseBytes > maxMessageBytes) {
    throw fieldFault('response_bytes', `response_bytes must be from 0 to ${maxMessageBytes}.`);
  }
  const { timeoutMs, encoding, form, request } = call;
  const longer = responseBytes === 0 ? data : Buffer.concat([data, Buffer.alloc(responseBytes)]);
  return {
    text,
    data: call.echoedData ?? longer,
    metadata: metadataOf(call),
    ...(timeoutMs !== undefined && { deadline: durationFromMs(Math.floor(timeoutMs)) }),
    peer: request.ip,
    compression: encoding,
    protocol: form.protocol,
    httpVersion: request.raw.httpVersion,
  };
}

function setMetadata(call: Call, { headers, trailers }: EchoRequest): void {
  addMetadata(call.headers, 'headers', headers, call);
  addMetadata(call.trailers, 'trailers', trailers, call);
}

export const echo = serve(Echo, {
  async unary(request, call) {
    setMetadata(call, request);
    if (request.delay !== undefined) call.hold();
    await pauseFor(call, request.delay);
    return responseTo(request, call);
  },
  async *serverStream(request, call) {
    setMetadata(call, request);
    const { count } = request;
    if (count < 0 || count > maxEchoCount) {
      throw fieldFault('count', `count must be from 0 to ${maxEchoCount}.`);
    }
    for (let sent = 0; sent < (count || 1); sent++) {
      await pauseFor(call, request.delay);
      yield responseTo(request, call);
    }
  },
  async clientStream(requests, call) {
    let last: EchoRequest | undefined;
    let joined = '';
    for await (const request of requests) {
      setMetadata(call, request);
      joined = (joined + request.text).slice(0, maxTextLength);
      last = request;
    }
    return last === undefined ? {} : { ...responseTo(last, call), text: joined };
  },
  async *bidiStream(requests, call) {
    for await (const request of requests) {
      addMetadata(call.trailers, 'trailers', request.trailers, call);
      await pauseFor(call, request.delay);
      yield responseTo(request, call);
    }
  },
});
