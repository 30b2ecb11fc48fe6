/** Passkeys: logins by keys that a browser keeps (WebAuthn). */

import { addVary } from '../../http/caching/caching.js';
import { prefersPage } from '../../http/negotiation/read-preferences.js';
import type { Area } from '../../kit/area.js';
import { sendPage } from '../../site/send-page.js';
import { passkeyCollection } from './collection.js';
import { passkeyHandlers } from './handlers.js';
import { passkeys } from './passkey.js';
import { relyingParty } from './relying-party.js';
import * as schemas from './schemas.js';

const path = '/api/auth/passkeys';

export const passkeysArea = {
  name: 'passkeys',
  title: 'Passkeys',
  guide: 'auth/passkeys',
  front: {
    start: path,
    page: { path, way: ['Passkeys', 'Create one, and log in with it.'] },
    examples: () => [
      {
        title: 'See who passkeys are for',
        method: 'GET',
        path,
        answer: { status: 200, has: '"rpId"' },
      },
    ],
  },
  summary: 'Registration and login by WebAuthn, with a page.',
  postman: [passkeyCollection],
  addRoutes(app, services) {
    const handle = passkeyHandlers(services);
    app.get(path, { schema: schemas.showPlace }, async (request, reply) => {
      addVary(reply, 'Accept');
      if (prefersPage(request.headers.accept)) return sendPage(request, reply, 'passkeys');
      const { id = null, origin } = relyingParty(services.baseUrlOf(request));
      const kept = await services.sandboxOf(request).entries(passkeys);
      return { rpId: id, origin, passkeys: kept.length };
    });
    app.post(`${path}/register/options`, { schema: schemas.registerOptions }, (request) =>
      handle.registerOptions(request, request.body.username),
    );
    app.post(`${path}/register/verify`, { schema: schemas.registerVerify }, (request, reply) =>
      handle.registerVerify(request, reply, request.body),
    );
    app.post(`${path}/login/options`, { schema: schemas.loginOptions }, (request) =>
      handle.loginOptions(request, request.body.username),
    );
    app.post(`${path}/login/verify`, { schema: schemas.loginVerify }, (request) =>
      handle.loginVerify(request, request.body),
    );
  },
} satisfies Area;
