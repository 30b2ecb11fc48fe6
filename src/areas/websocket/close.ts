/** Closes with any allowed code (RFC 6455 section 7.4), without one, or without a close frame. */

import { Type } from 'typebox';
import { gotValue } from '#base/text/got-value.js';
import { fieldError } from '#http/http-error.js';
import { seconds } from '#kit/describe/seconds.js';
import { endpoint } from '#kit/endpoint.js';
import { pauseWhileOpen, type SocketEndpoint, socketSpec } from './socket.js';

const maxReasonBytes = 123;

export const close: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Close the socket with a chosen code',
    description: 'A forbidden code gets 400, before the upgrade. Earlier text messages are echoed.',
    query: {
      ...socketSpec.query,
      code: Type.String({
        default: '1000',
        description:
          'The close code: 1000 to 1003, 1007 to 1014 or 3000 to 4999, or none for a close frame without one.',
      }),
      reason: Type.String({
        default: '',
        description: 'The reason: at most 123 bytes; none without a code.',
      }),
      after: seconds('Seconds before it closes.', 0, 60),
      abrupt: Type.Boolean({
        default: false,
        description:
          'Whether the connection ends without a close frame, which clients report as 1006.',
      }),
    },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const { reason, after, abrupt } = request.query;
      const code = codeOf(request.query.code);
      checkReason(reason, code);
      return webSockets.accept(request, reply, async (socket) => {
        socket.eachMessage(({ data, isBinary }) => socket.send(data, { binary: isBinary }));
        if (after > 0 && !(await pauseWhileOpen(socket, after * 1000))) return;
        if (abrupt) socket.terminate();
        else socket.close(code, reason);
      });
    },
  });

function codeOf(text: string): number | undefined {
  if (text === 'none') return undefined;
  const code = /^\d{4}$/.test(text) ? Number(text) : 0;
  const isStandard = code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006);
  if (isStandard || (code >= 3000 && code <= 4999)) return code;
  throw fieldError(
    'code',
    `code must be 1000 to 1003, 1007 to 1014, 3000 to 4999 or none${gotValue('code', text)}.`,
  );
}

function checkReason(reason: string, code: number | undefined): void {
  if (code === undefined && reason !== '') {
    throw fieldError('reason', 'reason needs a code: a close frame without a code has no reason.');
  }
  const length = Buffer.byteLength(reason);
  if (length <= maxReasonBytes) return;
  const message = `reason must have at most ${maxReasonBytes} bytes; got ${length}.`;
  throw fieldError('reason', message);
}
