/** Passkeys: logins with keys that a browser stores (WebAuthn). */

import type { Area } from '#kit/area.js';
import { path } from './path.js';

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
  isLate: true,
  endpoints: async () => (await import('./loaded.js')).endpoints,
} satisfies Area;
