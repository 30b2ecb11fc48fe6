/** The protocols in which a method can be called, by the media type of the request. */

import { mediaType } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';

export interface Form {
  readonly protocol: 'gRPC' | 'gRPC-Web' | 'Connect';
  readonly codec: 'proto' | 'json';
  /** Media type of the response, as of the request. */
  readonly contentType: string;
  /** Whether the bytes are Base64. */
  readonly isText?: true;
  /** Whether the message is the whole body, without a prefix. */
  readonly isBare?: true;
  /** The headers with the codings of messages: of this message, and accepted ones. */
  readonly encodingHeaders: readonly [own: string, accepted: string];
}

const grpcEncodings = ['grpc-encoding', 'grpc-accept-encoding'] as const;
const streamEncodings = ['connect-content-encoding', 'connect-accept-encoding'] as const;
const bareEncodings = ['content-encoding', 'accept-encoding'] as const;

function form(contentType: string, rest: Omit<Form, 'contentType' | 'codec'>, codec?: 'json') {
  return [contentType, { contentType, codec: codec ?? 'proto', ...rest }] as const;
}

const grpc = { protocol: 'gRPC', encodingHeaders: grpcEncodings } as const;
const web = { protocol: 'gRPC-Web', encodingHeaders: grpcEncodings } as const;
const webText = { ...web, isText: true } as const;
const streaming = { protocol: 'Connect', encodingHeaders: streamEncodings } as const;
const bare = { protocol: 'Connect', encodingHeaders: bareEncodings, isBare: true } as const;

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  form('application/grpc', grpc),
  form('application/grpc+proto', grpc),
  form('application/grpc+json', grpc, 'json'),
  form('application/grpc-web', web),
  form('application/grpc-web+proto', web),
  form('application/grpc-web+json', web, 'json'),
  form('application/grpc-web-text', webText),
  form('application/grpc-web-text+proto', webText),
  form('application/connect+proto', streaming),
  form('application/connect+json', streaming, 'json'),
  form('application/proto', bare),
  form('application/json', bare, 'json'),
]);

/** Accept-Post of methods. */
export const acceptedTypes = [...forms.keys()].join(', ');

export function formOf(contentType: string | undefined): Form | undefined {
  // Most clients send no parameters.
  return forms.get(contentType ?? '') ?? forms.get(mediaType(contentType));
}

/** The form of a Connect GET, by its `encoding`. */
export const bareForm = (codec: unknown): Form | undefined =>
  codec === 'proto' || codec === 'json' ? forms.get(`application/${codec}`) : undefined;

/** Returns the form of a request, also of one without an endpoint. */
export function formOfRequest({ method, headers, url }: Request): Form | undefined {
  if (method !== 'GET') return formOf(headers['content-type']);
  const query = new URLSearchParams(url.split('?')[1]);
  return query.has('message') ? (bareForm(query.get('encoding')) ?? bareForm('json')) : undefined;
}
