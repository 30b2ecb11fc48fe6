/** Tickets: credentials for an address, which may be written down, and so count once and not for long. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Awaitable } from '../../base/awaitable.js';
import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import type { Reply, Request } from '../../http/exchange.js';
import { singleHeader } from '../../http/headers/header-values.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { challenge } from '../../http/schemas/header-schemas.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox, Space } from '../../state/state.js';
import { rejected } from './auth.js';

interface Ticket {
  readonly user: string;
}

const ticketsSpace: Space<Ticket> = { name: 'web-socket-tickets', maxKeys: 1000 };
const lifeMs = 60_000;

export const ticketSchema = {
  summary: 'Create a ticket for a socket',
  description:
    'For clients that can set no headers, as browsers cannot: connect to /api/ws/auth?ticket=…. It can be used once, in this sandbox, within 60 s of its clock.',
  described: {
    headers: { Authorization: Type.Optional(Type.String({ description: 'Bearer and a token.' })) },
  },
  response: {
    201: Type.Object({ ticket: Type.String(), expiresAt: Type.String({ format: 'date-time' }) }),
    401: errorSchema,
  },
  responseHeaders: { 401: challenge },
};

export function ticketHandler({ sandboxOf, tokenOwner }: Services) {
  return async (request: Request, reply: Reply) => {
    const sent = singleHeader(request, 'authorization');
    const { scheme, credentials } = parseAuthorization(sent ?? '');
    const user = scheme === 'bearer' ? tokenOwner(credentials) : undefined;
    if (user === undefined) {
      throw rejected('A ticket requires one of the bearer tokens that GET /api/auth lists');
    }
    const ticket = randomBytes(24).toString('base64url');
    const expiresAtMs = await sandboxOf(request).update(ticketsSpace, ticket, (_, nowMs) => ({
      value: { user },
      expiresAtMs: nowMs + lifeMs,
      result: nowMs + lifeMs,
    }));
    return reply.code(201).send({ ticket, expiresAt: new Date(expiresAtMs).toISOString() });
  };
}

/** Whose the ticket was, which nobody can use again; `undefined` for what is none. */
export function useTicket(sandbox: Sandbox, ticket: string): Awaitable<string | undefined> {
  return sandbox.update(ticketsSpace, ticket, (current) => ({
    value: undefined,
    result: current?.user,
  }));
}
