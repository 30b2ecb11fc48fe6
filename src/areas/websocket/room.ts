/** Rooms: what one sends, all in the sandbox's room get. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { turns } from '../../base/work-in-turns.js';
import { isSandboxName } from '../../http/address/sandbox-address.js';
import { fieldError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { endpoint } from '../../kit/endpoint.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { StateUnavailableError } from '../../state/state.js';
import { maxKept, Room } from './room-log.js';
import { type SocketEndpoint, socketSpec } from './socket.js';

/** So that a room's thousand can be kept. */
const maxTextBytes = 64 * 1024;

export const room: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Join a room, where all get what one sends',
    description: `A text of the client comes to everybody in the room of this sandbox, the sender included, as {"id":1,"type":"message","from":"…","text":"…","at":"…"}; type join and leave tell who came and went. Ids grow. The newest ${maxKept} are kept, as far as there is room for their bytes.`,
    params: { name: Type.String({ description: 'The room.' }) },
    query: {
      ...socketSpec.query,
      since: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'The id of what was seen last: what came after it comes first. 0 gives all that is kept.',
        }),
      ),
      from: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'The name of this client.' }),
      ),
    },
    responses: { ...socketSpec.responses, 400: errorSchema },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const { name } = request.params;
      if (!isSandboxName(name)) {
        const message = `name must be 1 to 64 letters, digits, dots, underscores and hyphens; got "${name}".`;
        throw fieldError('name', message);
      }
      const { since, from = `guest-${randomBytes(3).toString('hex')}` } = request.query;
      const room = new Room(request.sandbox, name);
      return webSockets.accept(request, reply, (socket) => join(socket, room, from, since), {
        maxMessageBytes: maxTextBytes,
      });
    },
  });

async function join(
  socket: ServerSocket,
  room: Room,
  from: string,
  since: number | undefined,
): Promise<void> {
  const gone = new AbortController();
  const joining = room.add('join', from, '').catch(tryAgain);
  // From the first moment on: whoever sends at once is heard, once it has joined.
  socket.eachMessage(async ({ data, isBinary }) => {
    if ((await joining) === undefined) return;
    if (isBinary) socket.close(1003, 'Rooms accept text.');
    else await room.add('message', from, data).catch(tryAgain);
  });
  const joined = await joining;
  if (joined === undefined) return;
  const leave = (): void => {
    gone.abort();
    // Nobody is left to tell when it fails.
    room.add('leave', from, '').catch(() => {});
  };
  if (socket.readyState === socket.CLOSED) {
    leave();
    return;
  }
  socket.once('closing', () => gone.abort()).once('close', leave);
  for await (const event of room.eventsAfter(since ?? joined - 1, gone.signal)) {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(event);
    // One that is slow holds nothing but its place.
    await socket.room();
    // All in the room are told at once.
    await turns.whenFree();
  }

  /** When the state is away, whoever sent knows that nothing was kept. */
  function tryAgain(error: unknown): undefined {
    if (!(error instanceof StateUnavailableError)) throw error;
    socket.close(1013, 'The state cannot be reached right now. Try again in a moment.');
  }
}
