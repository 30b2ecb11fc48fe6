/** Rooms: a message goes to all members of the sandbox's room. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { turns } from '#base/work-in-turns.js';
import { isSandboxName } from '#http/address/sandbox-address.js';
import { fieldError } from '#http/http-error.js';
import { guard } from '#kit/connection.js';
import { endpoint } from '#kit/endpoint.js';
import type { ServerSocket } from '#kit/websocket/web-sockets.js';
import { StateUnavailableError } from '#state/state.js';
import { maxKept, Room } from './room-log.js';
import { type SocketEndpoint, socketSpec } from './socket.js';

/** Limits a message so that a thousand of a room can be kept. */
const maxTextBytes = 64 * 1024;

export const room: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Join a room, which sends each message to all',
    description: `A text message goes to all members of the room in this sandbox, including its sender, as {"id":1,"type":"message","from":"…","text":"…","at":"…"}; the types join and leave report members. Ids increase. The newest ${maxKept} are kept, as far as there is room for their bytes.`,
    params: { name: Type.String({ description: 'The room.' }) },
    query: {
      ...socketSpec.query,
      since: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'Id of the last received event; all later events are sent first. 0 sends all that are kept.',
        }),
      ),
      from: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'The name of this client.' }),
      ),
    },
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
  // Listens from the first moment, so that early messages are sent once the client has joined.
  socket.eachMessage(async ({ data, isBinary }) => {
    if ((await joining) === undefined) return;
    if (isBinary) socket.close(1003, 'Rooms accept only text.');
    else await room.add('message', from, data).catch(tryAgain);
  });
  const joined = await joining;
  if (joined === undefined) return;
  const stop = guard(socket, () => gone.abort());
  const leave = guard(socket, (): void => {
    gone.abort();
    // The client has left, so there is no one to report a failure to.
    room.add('leave', from, '').catch(() => {});
  });
  if (socket.readyState === socket.CLOSED) {
    leave();
    return;
  }
  socket.once('closing', stop).once('close', leave);
  for await (const event of room.eventsAfter(since ?? joined - 1, gone.signal)) {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(event);
    // A slow member holds only its position.
    await socket.room();
    // All members are woken at once.
    await turns.whenFree();
  }

  /** If the state is unavailable, reports to the sender that the message was not stored. */
  function tryAgain(error: unknown): undefined {
    if (!(error instanceof StateUnavailableError)) throw error;
    socket.close(1013, 'The state is unavailable right now. Try again in a moment.');
  }
}
