/** A write and a read of all state, for tests of isolation. */

import { basicHeader, demoCredentials } from './demo-credentials.js';
import type { HttpResponse, SendOptions } from './service.js';

export type Send = (target: string, options?: SendOptions) => Promise<HttpResponse>;

export async function graphql(send: Send, query: string): Promise<string> {
  return (await send('POST /graphql', { json: { query } })).text;
}

export interface Case<Written> {
  /** Values from the write that the reader needs, such as a token. */
  readonly write: (send: Send) => Promise<Written>;
  readonly read: (send: Send, written: Written) => Promise<string>;
  /** Signed values know their sandbox, and outlive the reset until they expire. */
  readonly isKeptByReset?: true;
}

function areaCase<Written>(each: Case<Written>): Case<Written> {
  return each;
}

const event = {
  name: 'Mine',
  startsAt: '2030-05-01T18:00:00.000Z',
  endsAt: '2030-05-01T23:00:00.000Z',
};
const plannedRule = { match: { path: '/api/nothing' }, sequence: [{ status: 500 }] };
const client = { 'X-Client-Id': 'me' };

/** Cases by the written data, in every area that changes data. */
export const isolationCases = {
  'users by GraphQL': areaCase({
    write: (send) =>
      graphql(send, 'mutation { createUser(name: "A", job: "B", city: "C") { id } }'),
    read: (send) => graphql(send, '{ users { id name job city } }'),
  }),
  'todos by GraphQL': areaCase({
    write: (send) =>
      graphql(send, 'mutation { toggleTodo(id: 1) { completed } deleteTodo(id: 2) }'),
    read: (send) => graphql(send, '{ todos { id title completed } }'),
  }),
  'events created by REST, listed by REST': areaCase({
    write: (send) => send('POST /api/Events', { json: event }),
    read: async (send) => (await send('GET /api/Events')).text,
  }),
  'events deleted by REST, listed by GraphQL': areaCase({
    write: (send) => send('DELETE /api/Events/1'),
    read: (send) => graphql(send, '{ events { id name } }'),
  }),
  'books changed by REST, read by REST': areaCase({
    write: (send) => send('PATCH /api/Books/1', { json: { title: 'Mine' } }),
    read: async (send) => (await send('GET /api/Books/1')).text,
  }),
  'books changed by REST, read by GraphQL': areaCase({
    write: (send) => send('PATCH /api/Books/2', { json: { title: 'Mine' } }),
    read: (send) => graphql(send, '{ book(id: 2) { title } }'),
  }),
  'rate windows': areaCase({
    write: (send) => send('GET /api/RateLimit', { headers: client }),
    read: async (send) => (await send('GET /api/RateLimit/status', { headers: client })).text,
  }),
  'webhook bins': areaCase({
    write: (send) => send('POST /api/webhooks/bins', { json: { name: 'Mine' } }),
    async read(send) {
      const { status, text } = await send('GET /api/webhooks/bins');
      // A caller without a sandbox sees none.
      return status === 403 ? '[]' : text;
    },
  }),
  'fault plans': areaCase({
    write: (send) => send('PUT /api/sandbox/faults', { json: { rules: [plannedRule] } }),
    async read(send) {
      const { status, text } = await send('GET /api/sandbox/faults');
      // A caller without a sandbox has none.
      return status === 403 ? '{"rules":[]}' : text;
    },
  }),
  'OAuth tokens': areaCase({
    async write(send) {
      const { oauth } = await demoCredentials({ send });
      const { json } = await send('POST /api/auth/oauth/token', {
        headers: {
          Authorization: basicHeader(oauth.clientId, oauth.clientSecret),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      });
      return json.access_token as string;
    },
    async read(send, token) {
      const headers = { Authorization: `Bearer ${token}` };
      return (await send('GET /api/auth/oauth/protected', { headers })).text;
    },
  }),
  'refresh families': areaCase({
    async write(send) {
      const { jwt } = await demoCredentials({ send });
      const { json } = await send('POST /api/auth/jwt/login', { json: jwt[0] });
      return json.refreshToken as string;
    },
    async read(send, refreshToken) {
      // Only the status: every success has other tokens.
      return String((await send('POST /api/auth/jwt/refresh', { json: { refreshToken } })).status);
    },
  }),
  'CSRF tokens': areaCase({
    write: async (send) => (await send('GET /api/auth/csrf/token')).json.csrfToken as string,
    async read(send, token) {
      const headers = { 'X-CSRF-Token': token, Cookie: `XSRF-TOKEN=${token}` };
      return (await send('POST /api/auth/csrf/submit', { headers })).text;
    },
    isKeptByReset: true,
  }),
  clock: areaCase({
    write: (send) => send('PUT /api/sandbox/clock', { json: { offsetSeconds: 5 } }),
    read: async (send) => (await send('GET /api/sandbox/clock')).text,
  }),
} as const;
