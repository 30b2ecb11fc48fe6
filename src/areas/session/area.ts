/** Logins with a cookie: sessions that end, a second step, forms that no other site can send. */

import { Type } from 'typebox';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import { practiceUsers } from '../../http/credentials/practice-users.js';
import type { Area } from '../../kit/area.js';
import { type Flow, json } from '../../kit/request-collection.js';
import { sessionEndpoints } from './endpoints.js';
import { path } from './visitor.js';

const flow: Flow = {
  title: 'Session',
  description: 'Log in, look, log out. Clients keep the cookie.',
  steps: [
    {
      id: 'sessionBegun',
      title: 'Log in as ada',
      operationId: 'postAuthSessionLogin',
      request: { body: json({ username: 'ada', password: 'ada-secret' }) },
      status: 200,
    },
    { id: 'sessionMe', title: 'Who it is', operationId: 'getAuthSessionMe', status: 200 },
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

const needsCode = 'It wants a code that is another every half minute.';

export const sessionArea = {
  name: 'session',
  title: 'Sessions',
  guide: 'auth/session',
  front: {
    start: path,
    page: { path, way: ['Log in', 'A session with a cookie, and a second step for one user.'] },
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
  summary: 'Login with a cookie, a second step, remember me, logout everywhere.',
  postman: [
    {
      flows: [flow],
      leftOut: {
        getAuthSessionMe: 'The flow has it, in the order that it needs.',
        postAuthSessionTotp: needsCode,
        postAuthSessionRecovery: 'It would use up a code with each run.',
        postAuthSessionLogoutEverywhere: 'It would end the sessions of others.',
      },
    },
  ],
  provides: {
    listedCredentials: {
      schema: {
        session: Type.Object({
          users: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
        }),
      },
      read: () => ({ session: { users: practiceUsers } }),
    },
  },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'session',
      description: 'POST /api/auth/session/login sets it; send that first.',
    },
  },
  async endpoints({ signingKey, wrongCodes }) {
    const mac = keyedMac(await signingKey('session', undefined));
    return sessionEndpoints.map((make) => make({ mac, wrongCodes }));
  },
} satisfies Area;
