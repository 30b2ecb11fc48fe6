/**
 * Breaks the protocol, each kind in one way: a client must fail the connection (RFC 6455 section
 * 7.1.7).
 */

import { Type } from 'typebox';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { isExtendedConnect } from '#kit/websocket/web-sockets.js';
import { closePayload, serverFrame } from './server-frame.js';
import { type SocketEndpoint, socketSpec } from './socket.js';

const hello = Buffer.from('hello');

/** Bytes that are sent when the socket is open; a wrong accept key is sent before. */
const kinds: Readonly<Record<string, Buffer | undefined>> = {
  'reserved-bits': serverFrame(1, hello, { reserved: 0b011 }),
  'bad-length': serverFrame(1, hello, { announcedLength: (1n << 63n) + 5n }),
  'invalid-utf8': serverFrame(1, Buffer.from([0x68, 0x65, 0xff, 0xfe])),
  'long-control': serverFrame(9, Buffer.alloc(126, '.')),
  'wrong-accept': undefined,
  'orphan-continuation': serverFrame(0, hello),
  masked: serverFrame(1, hello, { isMasked: true }),
  'close-one-byte': serverFrame(8, Buffer.from([3])),
  'close-reserved-code': serverFrame(8, closePayload(1005)),
  'close-undefined-code': serverFrame(8, closePayload(2999)),
  'close-invalid-reason': serverFrame(8, closePayload(1000, Buffer.from([0xff, 0xfe]))),
};
const names = Object.keys(kinds);

const wrongAccept = { headers: { 'sec-websocket-accept': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' } };

export const broken: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Break the protocol in one way',
    description: `Reserved bits that are set, a 64-bit length whose highest bit is set, a text that is not UTF-8, a ping of 126 bytes, a wrong Sec-WebSocket-Accept, a continuation without a beginning, a masked frame, or a close frame with one byte, a forbidden code, or a reason that is not UTF-8. The kinds are ${names.join(', ')}.`,
    params: { kind: Type.String({ description: 'The kind of fault.' }) },
    responses: { ...socketSpec.responses, 404: errorSchema },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const { kind } = request.params;
      if (!names.includes(kind)) {
        throw new HttpError(404, `The kind must be one of ${names.join(', ')}; got "${kind}".`);
      }
      const bytes = kinds[kind];
      if (bytes !== undefined) {
        return webSockets.accept(request, reply, (socket) => {
          socket.sendRaw(bytes);
          if (kind.startsWith('close-')) socket.finish();
        });
      }
      if (isExtendedConnect(request.raw)) {
        const message = `${kind} needs an HTTP/1.1 handshake: HTTP/2 has no accept key.`;
        throw new HttpError(400, message);
      }
      return webSockets.accept(request, reply, () => {}, wrongAccept);
    },
  });
