/** Closing by any code that may be sent (RFC 6455 section 7.4), or without a word. */

import { Type } from 'typebox';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, seconds, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';
import { serverFrame } from './server-frame.js';

interface CloseQuery {
  readonly code: number;
  readonly reason: string;
  readonly after: number;
  readonly abrupt: boolean;
}

export const closeSchema = socketSchema(
  'Close the socket with the code asked for',
  'A code that must not be sent is 400, before the upgrade: below 1000, 1004 to 1006, 1015, and above 4999. Text that comes before is sent back.',
  {
    code: Type.Integer({ default: 1000, description: 'The close code.' }),
    reason: Type.String({ default: '', description: 'The reason: at most 123 bytes.' }),
    after: seconds('Seconds before it closes.', 0, 60),
    abrupt: Type.Boolean({
      default: false,
      description: 'Whether the connection ends without a close frame, which clients call 1006.',
    }),
  },
  { 400: errorSchema },
);

const maxReasonBytes = 123;

export function closeHandler({ webSockets }: Services): SocketHandler<CloseQuery> {
  return async (request, reply) => {
    webSockets.readHandshake(request, reply);
    const { query } = request;
    if (!isSendable(query.code)) {
      throw rejected(
        'code',
        `code must be one that may be sent: 1000 to 4999, but not 1004 to 1006 or 1015; got ${query.code}.`,
      );
    }
    const { length } = Buffer.from(query.reason);
    if (length > maxReasonBytes) {
      throw rejected('reason', `reason must have at most ${maxReasonBytes} bytes; got ${length}.`);
    }
    return webSockets.accept(request, reply, (socket) => closeLater(socket, query));
  };
}

export function isSendable(code: number): boolean {
  return code >= 1000 && code <= 4999 && !(code >= 1004 && code <= 1006) && code !== 1015;
}

function rejected(field: string, message: string): HttpError {
  return new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

async function closeLater(
  socket: ServerSocket,
  { code, reason, after, abrupt }: CloseQuery,
): Promise<void> {
  socket.eachMessage(({ data, isBinary }) => socket.send(data, { binary: isBinary }));
  if (after > 0 && !(await pauseWhileOpen(socket, after * 1000))) return;
  if (abrupt) {
    socket.terminate();
  } else if (isRegistered(code)) {
    socket.close(code, reason);
  } else {
    // No library sends these, and the response to one is a fault to a library that gets it.
    socket.sendRaw(serverFrame(8, closePayload(code, reason)));
    socket.finish();
  }
}

/** Of what may be sent, the codes from 1016 to 2999 wait for the standards of others. */
function isRegistered(code: number): boolean {
  return code <= 1014 || code >= 3000;
}

function closePayload(code: number, reason: string): Buffer {
  const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
  payload.writeUInt16BE(code);
  return payload;
}
