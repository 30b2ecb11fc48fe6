/** Closing by any code that may be sent (RFC 6455 section 7.4), or without a word. */

import { Type } from 'typebox';
import { fieldError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { seconds } from '../../kit/describe/seconds.js';
import { endpoint } from '../../kit/endpoint.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { serverFrame } from './server-frame.js';
import { pauseWhileOpen, type SocketEndpoint, socketSpec } from './socket.js';

const maxReasonBytes = 123;

export const close: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Close the socket with the code asked for',
    description:
      'A code that must not be sent is 400, before the upgrade: below 1000, 1004 to 1006, 1015, and above 4999. Text that comes before is sent back.',
    query: {
      ...socketSpec.query,
      code: Type.Integer({ default: 1000, description: 'The close code.' }),
      reason: Type.String({ default: '', description: 'The reason: at most 123 bytes.' }),
      after: seconds('Seconds before it closes.', 0, 60),
      abrupt: Type.Boolean({
        default: false,
        description: 'Whether the connection ends without a close frame, which clients call 1006.',
      }),
    },
    responses: { ...socketSpec.responses, 400: errorSchema },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const { code, reason, after, abrupt } = request.query;
      checkCode(code);
      checkReason(reason);
      return webSockets.accept(request, reply, async (socket) => {
        socket.eachMessage(({ data, isBinary }) => socket.send(data, { binary: isBinary }));
        if (after > 0 && !(await pauseWhileOpen(socket, after * 1000))) return;
        if (abrupt) socket.terminate();
        else sendClose(socket, code, reason);
      });
    },
  });

function checkCode(code: number): void {
  const isReserved = (code >= 1004 && code <= 1006) || code === 1015;
  if (code >= 1000 && code <= 4999 && !isReserved) return;
  throw fieldError(
    'code',
    `code must be one that may be sent: 1000 to 4999, but not 1004 to 1006 or 1015; got ${code}.`,
  );
}

function checkReason(reason: string): void {
  const length = Buffer.byteLength(reason);
  if (length <= maxReasonBytes) return;
  const message = `reason must have at most ${maxReasonBytes} bytes; got ${length}.`;
  throw fieldError('reason', message);
}

function sendClose(socket: ServerSocket, code: number, reason: string): void {
  // Of what may be sent, the codes from 1016 to 2999 wait for the standards of others.
  if (code <= 1014 || code >= 3000) {
    socket.close(code, reason);
    return;
  }
  // No library sends these, and the response to one is a fault to a library that gets it.
  const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
  payload.writeUInt16BE(code);
  socket.sendRaw(serverFrame(8, payload));
  socket.finish();
}
