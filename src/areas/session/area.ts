/** Logins with a cookie: sessions that expire, a second factor, forms protected against cross-site requests. */

import { Type } from 'typebox';
import { practiceUsers } from '#http/credentials/practice-users.js';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { type Flow, json } from '#kit/request-collection.js';
import { path } from './path.js';

const flow: Flow = {
  title: 'Session',
  description: 'Log in, get the session, log out. Clients keep the cookie.',
  steps: [
    {
      id: 'sessionBegun',
      title: 'Log in as ada',
      operationId: 'postAuthSessionLogin',
      request: { body: json({ username: 'ada', password: 'ada-secret' }) },
      status: 200,
    },
    {
      id: 'sessionMe',
      title: 'See who is logged in',
      operationId: 'getAuthSessionMe',
      status: 200,
    },
    {
      id: 'sessionEnded',
      title: 'Log out',
      operationId: 'postAuthSessionLogout',
      request: { body: json({}) },
      status: 204,
    },
    { id: 'sessionGone', title: 'Nobody', operationId: 'getAuthSessionMe', status: 401 },
  ],
};

const needsCode = 'It needs a code that changes every half minute.';

export const sessionArea = {
  name: 'session',
  title: 'Sessions',
  guide: 'auth/session',
  front: {
    group: 'login',
    start: path,
    page: { path },
    examples: () => [
      {
        title: 'Log in with a cookie',
        method: 'POST',
        path: `${path}/login`,
        json: { username: 'ada', password: 'ada-secret' },
        response: { status: 200, has: '"authenticated"' },
      },
    ],
  },
  summary: 'Login with a cookie, second factor, remember me, logout everywhere.',
  postman: [
    {
      flows: [flow],
      leftOut: {
        getAuthSessionMe: 'The flow includes it, in the required order.',
        postAuthSessionTotp: needsCode,
        postAuthSessionRecovery: 'Each run would use up a code.',
        postAuthSessionLogoutEverywhere: 'It would end the sessions of other users.',
      },
    },
  ],
  offers: [
    credentialsToken.of(() => ({
      title: 'Sessions',
      schema: {
        session: Type.Object({
          users: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
        }),
      },
      read: () => ({ session: { users: practiceUsers } }),
    })),
  ],
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'session',
      description: 'POST /api/auth/session/login sets it; send that first.',
    },
  },
  isLate: true,
  async endpoints(services) {
    const { endpoints } = await import('./loaded.js');
    return endpoints(services);
  },
} satisfies Area;
