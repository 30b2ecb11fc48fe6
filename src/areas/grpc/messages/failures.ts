/** Writes a failure before any message, in the protocol of the call. */

import { jsonContentType, type ShapedFailure } from '#http/http-error.js';
import { connectNameOf, connectStatusOf } from './codes.js';
import type { Form } from './forms.js';
import { flags, frame } from './frames.js';
import { encodeMessage, toBase64, type Values } from './metadata.js';
import type { RpcError } from './rpc-error.js';

/** Returns the status as trailers of gRPC; without an error, of success. */
export function statusTrailers(error: RpcError | undefined, trailers: Values = {}): Values {
  if (error === undefined) return { ...trailers, 'grpc-status': '0' };
  const { code, message, details } = error;
  const status: Values = { ...trailers, 'grpc-status': String(code) };
  if (message !== '') status['grpc-message'] = encodeMessage(message);
  if (details !== undefined) {
    status['grpc-status-details-bin'] = toBase64(details.encodeStatus(code, message));
  }
  return status;
}

/** Returns an error of Connect as an object of JSON. */
export function connectError({ code, message, details }: RpcError): object {
  return {
    code: connectNameOf(code),
    ...(message !== '' && { message }),
    ...(details !== undefined && {
      details: details.list.map(({ typeUrl, value }) => ({
        type: typeUrl.slice(typeUrl.lastIndexOf('/') + 1),
        value: toBase64(value),
      })),
    }),
  };
}

/** Returns the last message of a stream of Connect. */
export function connectEnd(error: RpcError | undefined, trailers: Values): Buffer {
  const metadata = Object.entries(trailers).map(([name, value]) => [name, [value].flat()]);
  const end = {
    ...(error && { error: connectError(error) }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
  return frame(flags.connectEnd, Buffer.from(JSON.stringify(end)));
}

export interface WrittenFailure extends ShapedFailure {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
}

export function writeFailure(form: Form, error: RpcError, trailers: Values = {}): WrittenFailure {
  const { contentType, protocol, isBare } = form;
  const metadata = { ...error.metadata };
  if (protocol !== 'Connect') {
    // A response without messages has its trailers in its only head.
    const headers = { ...metadata, ...statusTrailers(error, trailers) };
    return { status: 200, contentType, headers, body: '' };
  }
  if (!isBare) {
    return { status: 200, contentType, headers: metadata, body: connectEnd(error, trailers) };
  }
  return {
    status: connectStatusOf(error.code),
    contentType: jsonContentType,
    headers: { ...metadata, ...asTrailerHeaders(trailers) },
    body: JSON.stringify(connectError(error)),
  };
}

/** Unary Connect has trailers as headers with a prefix. */
export const asTrailerHeaders = (trailers: Values): Values =>
  Object.fromEntries(Object.entries(trailers).map(([name, value]) => [`trailer-${name}`, value]));

/** Returns trailers as the text of gRPC-Web. */
export function webTrailers(trailers: Values): Buffer {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return frame(flags.webTrailers, Buffer.from(lines.join('')));
}
