/**
 * Checks credentials of a socket: in the handshake, or in its first message. Tickets are for
 * clients that cannot set headers.
 */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { isObject } from '#base/json-object.js';
import { invalidToken } from '#http/credentials/challenge.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import { guard } from '#kit/connection.js';
import { endpoint } from '#kit/endpoint.js';
import type { TokenOwner } from '#kit/offers/credentials.js';
import type { ServerSocket } from '#kit/websocket/web-sockets.js';
import type { Space } from '#state/state.js';
import { type SocketEndpoint, sendBack, socketPath, socketSpec } from './socket.js';

/** Time limit for the first message. */
const firstMessageMs = 5_000;

const protocolPrefix = 'bearer.';

export const auth =
  (tokenOwner: TokenOwner): SocketEndpoint =>
  (path, { webSockets }) =>
    endpoint('GET', path, {
      ...socketSpec,
      summary: 'Require credentials',
      description: `A bearer token in Authorization or as the subprotocol bearer.{token}, or a ticket of POST ${socketPath}/tickets; wrong ones get 401. Without any, the first message must be {"type":"auth","token":"…"} within 5 s; otherwise the socket is closed with 4401. Later messages are echoed.`,
      query: {
        ...socketSpec.query,
        ticket: Type.Optional(Type.String({ description: 'A ticket, which can be used once.' })),
      },
      responses: { ...socketSpec.responses, 401: errorSchema },
      async handle(request, reply) {
        const { protocols } = webSockets.readHandshake(request, reply);
        const protocol = protocols.find((each) => each.startsWith(protocolPrefix));
        const tokens = [
          tokenIn(request.headers.authorization),
          protocol?.slice(protocolPrefix.length),
        ].filter((token) => token !== undefined);
        const owners = tokens.map((token) => ownerOf(token, tokenOwner));
        const { ticket } = request.query;
        if (ticket !== undefined) owners.push(await useTicket(request, ticket));
        const [owner] = owners;
        const use = (socket: ServerSocket) => {
          if (owner === undefined) awaitToken(socket, tokenOwner);
          else welcome(socket, owner);
        };
        return webSockets.accept(request, reply, use, { protocol });
      },
    });

/** Returns an empty text for credentials of another scheme. */
function tokenIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const { scheme, credentials } = parseAuthorization(authorization);
  return scheme === 'bearer' ? credentials : '';
}

function ownerOf(token: string, tokenOwner: TokenOwner): string {
  const owner = tokenOwner(token);
  if (owner !== undefined) return owner;
  throw invalidToken('The token is unknown; GET /api/auth lists valid ones under bearer');
}

function welcome(socket: ServerSocket, user: string): void {
  socket.send(JSON.stringify({ type: 'welcome', user }));
  socket.eachMessage((message) => sendBack(socket, message));
}

function awaitToken(socket: ServerSocket, tokenOwner: TokenOwner): void {
  const timer = setTimeout(
    guard(socket, () => socket.close(4401, 'No {"type":"auth","token":"…"} arrived within 5 s.')),
    firstMessageMs,
  );
  socket.once(
    'close',
    guard(socket, () => clearTimeout(timer)),
  );
  socket.eachMessage(({ data, isBinary }) => {
    clearTimeout(timer);
    const token = isBinary ? undefined : tokenInMessage(data.toString('utf8'));
    const owner = token === undefined ? undefined : tokenOwner(token);
    if (owner !== undefined) welcome(socket, owner);
    else if (token !== undefined)
      socket.close(4401, 'The token is unknown; GET /api/auth lists valid ones.');
    else socket.close(4401, 'The first message must be {"type":"auth","token":"…"}.');
  });
}

function tokenInMessage(text: string): string | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (!isObject(message) || message.type !== 'auth') return undefined;
    return typeof message.token === 'string' ? message.token : undefined;
  } catch {
    return undefined;
  }
}

/**
 * User of each ticket, which can be used only once and soon, because it is part of a URL, which
 * logs keep.
 */
const tickets: Space<{ readonly user: string }> = { name: 'web-socket-tickets', maxKeys: 1000 };
const ticketLifeMs = 60_000;

async function useTicket({ sandbox }: Request, ticket: string): Promise<string> {
  const owner = await sandbox.update(tickets, ticket, (current) => ({
    value: undefined,
    result: current?.user,
  }));
  if (owner !== undefined) return owner;
  throw invalidToken(
    'The ticket was not issued in this sandbox, was used before, or is older than 60 s',
  );
}

export const createTicket = (tokenOwner: TokenOwner) =>
  endpoint('POST', `${socketPath}/tickets`, {
    summary: 'Create a ticket for a socket',
    description:
      'For clients that cannot set headers, such as browsers: connect to /api/ws/auth?ticket=…. The ticket can be used once, in this sandbox, within 60 s of its clock.',
    security: [{ bearer: [] }],
    responses: {
      201: Type.Object({ ticket: Type.String(), expiresAt: Type.String({ format: 'date-time' }) }),
    },
    responseHeaders: { 401: challenge },
    async handle(request, reply) {
      const token = tokenIn(singleHeader(request, 'authorization'));
      const user = token && tokenOwner(token);
      if (!user) {
        throw invalidToken('A ticket requires a bearer token that GET /api/auth lists');
      }
      const ticket = randomBytes(24).toString('base64url');
      const expiresAtMs = await request.sandbox.update(tickets, ticket, (_, nowMs) => ({
        value: { user },
        expiresAtMs: nowMs + ticketLifeMs,
        result: nowMs + ticketLifeMs,
      }));
      return reply.code(201).send({ ticket, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  });
