/** Calls of gRPC over HTTP/2, by Node's client and without a library, so that each byte can be wrong. */

import { connect, type IncomingHttpHeaders } from 'node:http2';
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';

export interface RawCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly method?: string;
}

export interface RawResponse {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly code: number;
}

/** A message with its prefix. */
export function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

export const messageOf = <Schema extends DescMessage>(
  schema: Schema,
  init: MessageInitShape<Schema> = {} as MessageInitShape<Schema>,
): Buffer => framed(toBinary(schema, create(schema, init)));

/** Returns the messages of a body. */
export function messagesIn<Schema extends DescMessage>(
  schema: Schema,
  body: Buffer,
): MessageShape<Schema>[] {
  const found: MessageShape<Schema>[] = [];
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    found.push(fromBinary(schema, body.subarray(at + 5, end)));
    at = end;
  }
  return found;
}

/** Sends a call on a new connection, and resolves when its stream is closed. */
export function callRaw(url: string, path: string, call: RawCall = {}): Promise<RawResponse> {
  const session = connect(url, { rejectUnauthorized: false });
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({
      ':method': call.method ?? 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...call.headers,
    });
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => {
      headers = received;
    });
    stream.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => {});
    stream.on('close', () => {
      session.close();
      resolve({ headers, trailers, body: Buffer.concat(chunks), code: stream.rstCode ?? 0 });
    });
    stream.end(call.body ?? framed(new Uint8Array()));
  });
}

/** The status of a response, wherever it is. */
export const statusOf = ({ headers, trailers }: RawResponse) => ({
  code: Number(trailers['grpc-status'] ?? headers['grpc-status'] ?? -1),
  message: decodeURIComponent(String(trailers['grpc-message'] ?? headers['grpc-message'] ?? '')),
});
