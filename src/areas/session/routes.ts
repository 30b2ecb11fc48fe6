/** Logins with a cookie: sessions that end, a second step, forms that no other site can send. */

import { Type } from 'typebox';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import { practiceUsers } from '../../http/credentials/practice-users.js';
import type { Area } from '../../kit/area.js';
import { sessionCollection } from './collection.js';
import { SessionEndpoint } from './endpoint.js';
import { formBodies } from './form-body.js';
import * as schemas from './schemas.js';

const path = '/api/auth/session';

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
        answer: { status: 200, has: '"authenticated"' },
      },
    ],
  },
  summary: 'Login with a cookie, a second step, remember me, logout everywhere.',
  postman: [sessionCollection],
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
  async addRoutes(app, services) {
    const mac = keyedMac(await services.signingKey('session', undefined));
    const endpoint = new SessionEndpoint(services, mac);
    const config = { otherBodies: formBodies };
    app.get(path, { schema: schemas.showPage }, (...exchange) => endpoint.show(...exchange));
    app.post(`${path}/login`, { schema: schemas.logIn, config }, (request, reply) =>
      endpoint.logIn(request, reply, request.body),
    );
    app.post(`${path}/totp`, { schema: schemas.sendCode, config }, (request, reply) =>
      endpoint.sendCode(request, reply, request.body),
    );
    app.post(`${path}/recovery`, { schema: schemas.sendRecoveryCode, config }, (request, reply) =>
      endpoint.sendRecoveryCode(request, reply, request.body),
    );
    app.get(`${path}/me`, { schema: schemas.me }, (...exchange) => endpoint.me(...exchange));
    app.get(`${path}/csrf`, { schema: schemas.giveToken }, (...exchange) =>
      endpoint.giveToken(...exchange),
    );
    app.post(`${path}/logout`, { schema: schemas.logOut, config }, (request, reply) =>
      endpoint.logOut(request, reply, request.body),
    );
    app.post(
      `${path}/logout-everywhere`,
      { schema: schemas.logOutEverywhere, config },
      (request, reply) => endpoint.logOutEverywhere(request, reply, request.body),
    );
  },
} satisfies Area;
