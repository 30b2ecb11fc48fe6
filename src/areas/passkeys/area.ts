/** Passkeys: logins with keys that a browser stores (WebAuthn). */

import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import type { Area } from '#kit/area.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { pageResponseHeaders, sendPage } from '#kit/pages/send-page.js';
import { path } from './ceremony.js';
import { loginOptions, verifyLogin } from './log-in.js';
import { passkeys } from './passkey.js';
import { registerOptions, verifyRegistration } from './register.js';
import { relyingParty } from './relying-party.js';

const placeSchema = Type.Object({
  rpId: Type.Union([Type.String(), Type.Null()], {
    description: 'The host name that passkeys belong to; null if the host is an IP address.',
  }),
  origin: Type.String(),
  passkeys: Type.Integer({ description: 'Number of passkeys in this sandbox.' }),
});

const showPlace = endpoint('GET', path, {
  summary: 'Get the passkey settings, or a page for browsers',
  headers: unvalidated(ifNoneMatch),
  responses: {
    200: {
      description: 'The settings, or the page.',
      content: {
        'application/json': { schema: placeSchema },
        'text/html': { schema: Type.String() },
      },
    },
    304: Type.Null({ description: "The browser's copy of the page is current." }),
  },
  responseHeaders: {
    200: { ...vary, ...optional(pageResponseHeaders[200]) },
    304: { ...vary, ...pageResponseHeaders[304] },
  },
  async handle(request, reply) {
    addVary(reply, 'Accept');
    if (prefersPage(request.headers.accept)) return sendPage(request, reply, 'passkeys');
    const { id = null, origin } = relyingParty(request.baseUrl);
    const kept = await request.sandbox.entries(passkeys);
    return { rpId: id, origin, passkeys: kept.length };
  },
});

const needsBrowser = 'It requires data that a browser has signed.';
const needsName = 'It belongs to a host name, which is not known beforehand.';

export const passkeysArea = {
  name: 'passkeys',
  title: 'Passkeys',
  guide: 'auth/passkeys',
  front: {
    group: 'login',
    start: path,
    page: { path },
    examples: () => [
      {
        title: 'See the host that passkeys belong to',
        method: 'GET',
        path,
        response: { status: 200, has: '"rpId"' },
      },
    ],
  },
  summary: 'Registration and login with WebAuthn, with a page.',
  postman: [
    {
      leftOut: {
        postAuthPasskeysRegisterOptions: needsName,
        postAuthPasskeysRegisterVerify: needsBrowser,
        postAuthPasskeysLoginOptions: needsName,
        postAuthPasskeysLoginVerify: needsBrowser,
      },
    },
  ],
  endpoints: () => [showPlace, registerOptions, verifyRegistration, loginOptions, verifyLogin],
} satisfies Area;
