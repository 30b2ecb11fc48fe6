/** The part of the area that its first request loads. */

import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { pageResponseHeaders, sendPage } from '#kit/pages/send-page.js';
import { loginOptions, verifyLogin } from './log-in.js';
import { passkeys } from './passkey.js';
import { path } from './path.js';
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

export const endpoints = [
  ...[showPlace, registerOptions, verifyRegistration],
  ...[loginOptions, verifyLogin],
];
