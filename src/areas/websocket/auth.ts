/** Credentials of a socket: in the handshake, or in its first message. */

import { Type } from 'typebox';
import { quoted, unauthorized } from '../../http/credentials/challenge.js';
import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import { realm } from '../../http/credentials/realm.js';
import type { Request } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import type { Handshake } from '../../kit/websocket/read-handshake.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, socketPath, socketSchema } from './endpoint.js';
import { useTicket } from './tickets.js';

interface AuthQuery {
  readonly ticket?: string;
}

export const authSchema = socketSchema(
  'Require credentials',
  `A bearer token in Authorization or as the subprotocol bearer.{token}, or a ticket of POST ${socketPath}/tickets; wrong ones are 401. Without any, the first message must be {"type":"auth","token":"…"} within 5 s, else the socket is closed with 4401. Afterwards messages come back.`,
  { ticket: Type.Optional(Type.String({ description: 'A ticket, which can be used once.' })) },
  { 401: errorSchema },
);

/** How long a client may take for its first message. */
const firstMessageMs = 5_000;

const protocolPrefix = 'bearer.';

export function authHandler(services: Services): SocketHandler<AuthQuery> {
  const { webSockets, tokenOwner } = services;
  return async (request, reply) => {
    const handshake = webSockets.readHandshake(request, reply);
    const protocol = handshake.protocols.find((each) => each.startsWith(protocolPrefix));
    const owner = await ownerInHandshake(services, request, handshake);
    return webSockets.accept(
      request,
      reply,
      (socket) => {
        if (owner === undefined) awaitToken(socket, tokenOwner);
        else welcome(socket, owner);
      },
      { protocol },
    );
  };
}

/** Whose the credentials are; `undefined` without any. Throws 401 when any are wrong. */
async function ownerInHandshake(
  { tokenOwner, sandboxOf }: Services,
  request: Request<{ Querystring: AuthQuery }>,
  { protocols }: Handshake,
): Promise<string | undefined> {
  const { authorization } = request.headers;
  const protocol = protocols.find((each) => each.startsWith(protocolPrefix));
  const { ticket } = request.query;
  const owners: string[] = [];
  for (const token of [tokenIn(authorization), protocol?.slice(protocolPrefix.length)]) {
    if (token === undefined) continue;
    const owner = tokenOwner(token);
    if (owner === undefined) {
      throw rejected('The token is not one of those that GET /api/auth lists under bearer');
    }
    owners.push(owner);
  }
  if (ticket !== undefined) {
    const owner = await useTicket(sandboxOf(request), ticket);
    if (owner === undefined) {
      throw rejected(
        'The ticket was never given out in this sandbox, was used before, or is older than 60 s',
      );
    }
    owners.push(owner);
  }
  return owners[0];
}

function tokenIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const { scheme, credentials } = parseAuthorization(authorization);
  return scheme === 'bearer' ? credentials : '';
}

/** 401 with the challenge of RFC 6750; `reason` is a sentence without its full stop. */
export function rejected(reason: string) {
  const challenge = `Bearer realm=${quoted(realm)}, error="invalid_token", error_description=${quoted(reason)}`;
  return unauthorized(`${reason}.`, challenge);
}

function welcome(socket: ServerSocket, user: string): void {
  socket.send(JSON.stringify({ type: 'welcome', user }));
  socket.eachMessage(({ data, isBinary }) => {
    socket.send(data, { binary: isBinary });
    return socket.hasRoom ? undefined : socket.room();
  });
}

function awaitToken(socket: ServerSocket, tokenOwner: Services['tokenOwner']): void {
  const timer = setTimeout(
    () => socket.close(4401, 'No {"type":"auth","token":"…"} came within 5 s.'),
    firstMessageMs,
  );
  socket.once('close', () => clearTimeout(timer));
  socket.eachMessage(({ data, isBinary }) => {
    clearTimeout(timer);
    const token = isBinary ? undefined : tokenInMessage(data.toString('utf8'));
    const owner = token === undefined ? undefined : tokenOwner(token);
    if (owner !== undefined) welcome(socket, owner);
    else if (token !== undefined) socket.close(4401, 'The token is none that GET /api/auth lists.');
    else socket.close(4401, 'The first message must be {"type":"auth","token":"…"}.');
  });
}

function tokenInMessage(text: string): string | undefined {
  try {
    const message: unknown = JSON.parse(text);
    const { type, token } = (message ?? {}) as {
      readonly type?: unknown;
      readonly token?: unknown;
    };
    return type === 'auth' && typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
