/** Rooms: what one sends, all in the sandbox's room get. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { turns } from '../../base/work-in-turns.js';
import { isSandboxName } from '../../http/address/sandbox-address.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { StateUnavailableError } from '../../state/state.js';
import { type SocketHandler, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';
import { maxKept, Room } from './room-log.js';

interface RoomQuery {
  readonly since?: number;
  readonly from?: string;
}

/** So that a room's thousand can be kept. */
const maxTextBytes = 64 * 1024;

export const roomSchema = {
  ...socketSchema(
    'Join a room, where all get what one sends',
    `A text of the client comes to everybody in the room of this sandbox, the sender included, as {"id":1,"type":"message","from":"…","text":"…","at":"…"}; type join and leave tell who came and went. Ids grow. The newest ${maxKept} are kept, as far as there is room for their bytes.`,
    {
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
    { 400: errorSchema },
  ),
  params: Type.Object({ name: Type.String({ description: 'The room.' }) }),
};

export function roomHandler({
  webSockets,
  sandboxOf,
}: Services): SocketHandler<RoomQuery, { name: string }> {
  return async (request, reply) => {
    webSockets.readHandshake(request, reply);
    const { name } = request.params;
    if (!isSandboxName(name)) {
      const message = `name must be 1 to 64 letters, digits, dots, underscores and hyphens; got "${name}".`;
      throw new HttpError(400, message, { body: { errors: [{ field: 'name', message }] } });
    }
    const { since, from = `guest-${randomBytes(3).toString('hex')}` } = request.query;
    const room = new Room(sandboxOf(request), name);
    return webSockets.accept(request, reply, (socket) => take(socket, room, from, since), {
      maxMessageBytes: maxTextBytes,
    });
  };
}

async function take(
  socket: ServerSocket,
  room: Room,
  from: string,
  since: number | undefined,
): Promise<void> {
  const gone = new AbortController();
  const joining = orAway(socket, () => room.add('join', from, ''));
  // From the first moment on: whoever sends at once is heard, once it has joined.
  socket.eachMessage(async ({ data, isBinary }) => {
    if ((await joining) === undefined) return;
    if (isBinary) socket.close(1003, 'Rooms accept text.');
    else await orAway(socket, () => room.add('message', from, data));
  });
  const joined = await joining;
  if (joined === undefined) return;
  const leave = (): void => {
    gone.abort();
    // Nobody is left to tell when it fails.
    Promise.resolve(room.add('leave', from, '')).catch(() => {});
  };
  if (socket.readyState === socket.CLOSED) {
    leave();
    return;
  }
  socket.once('closing', () => gone.abort()).once('close', leave);
  await deliver(socket, room, since ?? joined - 1, gone.signal);
}

/** Sends what comes after a place, as the client takes it: one that is slow holds nothing but its place. */
async function deliver(
  socket: ServerSocket,
  room: Room,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  let place = since;
  while (socket.readyState === socket.OPEN && !signal.aborted) {
    try {
      place = await room.catchUp(place, async (event) => {
        if (socket.readyState === socket.OPEN) socket.send(event);
        await socket.room();
        // All in the room are told at once.
        await turns.whenFree();
        return !signal.aborted;
      });
      if (!signal.aborted) await room.news(place, signal);
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      // It comes back, and with it all that was acknowledged.
      await pauseWhileOpen(socket, awayMs);
    }
  }
}

const awayMs = 500;

/** Closes the socket with 1013 when the state is away: whoever sent then knows that nothing was kept. */
async function orAway<Result>(
  socket: ServerSocket,
  act: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StateUnavailableError)) throw error;
    socket.close(1013, 'The state cannot be reached right now. Try again in a moment.');
    return undefined;
  }
}
