/** Solutions of the track authentication. */

import { createHmac } from 'node:crypto';
import { authenticateByDigest } from '../../support/authenticate-by-digest.js';
import { basic, bearer, type Call, form, headers, type Solutions } from './solution.js';

const right = basic('demo', 'basic-secret');
const json = { username: 'user', password: 'user-secret' };
const login = async (call: Call) => (await call('POST /api/auth/jwt/login', { json })).json;
const me = (call: Call, token: string) => call('GET /api/auth/jwt/me', headers(bearer(token)));
const client = basic('demo-client', 'demo-client-secret');
const getToken = async (call: Call) => {
  const fields = { grant_type: 'client_credentials', scope: 'read' };
  return (await call('POST /api/auth/oauth/token', form(fields, client))).json.access_token;
};
const guarded = (call: Call, token: string) =>
  call('GET /api/auth/oauth/protected', headers(bearer(token)));
const signed = (secret: string, time: number) => ({
  'X-Timestamp': String(time),
  'X-Signature': createHmac('sha256', secret).update(`${time}.{}`).digest('hex'),
});
const session = '/api/auth/session';
const ada = { username: 'ada', password: 'ada-secret' };
const seconds = () => Math.floor(Date.now() / 1000);

export const authenticationSolutions: Solutions = {
  'auth-basic': {
    solve: (call) => call('GET /api/auth/basic', headers(right)),
    misses: [
      [/no Authorization/, (call) => call('GET /api/auth/basic')],
      [/password is wrong/, (call) => call('GET /api/auth/basic', headers(basic('demo', 'x')))],
      [/must be Basic/, (call) => call('GET /api/auth/basic', headers(bearer('x')))],
    ],
  },
  'auth-challenge': {
    async solve(call) {
      await call('GET /api/auth/basic');
      await call('GET /api/auth/basic', headers(right));
    },
    misses: [[/at once/, (call) => call('GET /api/auth/basic', headers(right))]],
  },
  'auth-hidden': {
    solve: (call) => call('GET /api/auth/basic-hidden/ada/secret', headers(basic('ada', 'secret'))),
    misses: [[/first request/, (call) => call('GET /api/auth/basic-hidden/ada/secret')]],
  },
  'auth-digest': {
    async solve(call) {
      const { headers: received } = await call('GET /api/auth/digest');
      const user = { username: 'demo', password: 'digest-secret', uri: '/api/auth/digest' };
      const Authorization = authenticateByDigest(received['www-authenticate'] ?? '', user);
      await call('GET /api/auth/digest', headers({ Authorization }));
    },
    misses: [
      [
        /must be Digest/,
        async (call) => [
          await call('GET /api/auth/digest'),
          await call('GET /api/auth/digest', headers(basic('demo', 'digest-secret'))),
        ],
      ],
    ],
  },
  'auth-api-key': {
    solve: (call) => call('GET /api/auth/api-key/header', headers({ 'X-API-Key': 'demo-api-key' })),
    misses: [
      [/in the URL/, (call) => call('GET /api/auth/api-key/query?api_key=demo-api-key')],
      [
        /key is wrong/,
        (call) => call('GET /api/auth/api-key/header', headers({ 'X-API-Key': 'x' })),
      ],
    ],
  },
  'auth-key-cookie': {
    solve: (call) =>
      call('GET /api/auth/api-key/cookie', headers({ Cookie: 'api_key=demo-api-key' })),
    misses: [[/no cookie/, (call) => call('GET /api/auth/api-key/cookie')]],
  },
  'auth-roles': {
    async solve(call) {
      await call('GET /api/auth/roles/admin', headers(bearer('demo-user-token')));
      await call('GET /api/auth/roles/admin', headers(bearer('demo-admin-token')));
    },
    misses: [
      [
        /without the role admin/,
        (call) => call('GET /api/auth/roles/admin', headers(bearer('demo-admin-token'))),
      ],
      [/401, not 403/, (call) => call('GET /api/auth/roles/admin')],
    ],
  },
  'auth-jwt': {
    solve: async (call) => me(call, (await login(call)).accessToken),
    misses: [
      [/no bearer/, async (call) => [await login(call), await call('GET /api/auth/jwt/me')]],
      [
        /not the access token/,
        async (call) => {
          const other = await login(call);
          await login(call);
          await me(call, other.accessToken);
        },
      ],
    ],
  },
  'auth-expired': {
    async solve(call) {
      await me(call, (await call('GET /api/auth/jwt/expired')).json.accessToken);
      await me(call, (await login(call)).accessToken);
    },
    misses: [[/has not expired/, async (call) => me(call, (await login(call)).accessToken)]],
  },
  'auth-refresh': {
    async solve(call) {
      const { refreshToken } = await login(call);
      const { json: renewed } = await call('POST /api/auth/jwt/refresh', {
        json: { refreshToken },
      });
      await me(call, renewed.accessToken);
    },
    misses: [
      [
        /old access token/,
        async (call) => {
          const { refreshToken, accessToken } = await login(call);
          await call('POST /api/auth/jwt/refresh', { json: { refreshToken } });
          await me(call, accessToken);
        },
      ],
    ],
  },
  'auth-client-credentials': {
    solve: async (call) => guarded(call, await getToken(call)),
    misses: [
      [
        /must be a form/,
        (call) =>
          call('POST /api/auth/oauth/token', { json: { grant_type: 'client_credentials' } }),
      ],
      [
        /only the scope read/,
        (call) =>
          call('POST /api/auth/oauth/token', form({ grant_type: 'client_credentials' }, client)),
      ],
    ],
  },
  'auth-revoke': {
    async solve(call) {
      const token = await getToken(call);
      await call('POST /api/auth/oauth/revoke', form({ token }, client));
      await guarded(call, token);
    },
    misses: [
      [
        /another token than yours/,
        async (call) => {
          await getToken(call);
          await call('POST /api/auth/oauth/revoke', form({ token: 'x' }, client));
        },
      ],
    ],
  },
  'auth-introspect': {
    solve: async (call) =>
      call('POST /api/auth/oauth/introspect', form({ token: await getToken(call) }, client)),
    misses: [
      [
        /another token than yours/,
        async (call) => {
          await getToken(call);
          await call('POST /api/auth/oauth/introspect', form({ token: 'x' }, client));
        },
      ],
    ],
  },
  'auth-hmac': {
    solve: (call) =>
      call('POST /api/auth/hmac', {
        body: '{}',
        ...headers(signed('demo-hmac-secret', seconds())),
      }),
    misses: [
      [/no X-Timestamp/, (call) => call('POST /api/auth/hmac', { body: '{}' })],
      [
        /signature is wrong/,
        (call) => call('POST /api/auth/hmac', { body: '{}', ...headers(signed('x', seconds())) }),
      ],
      [
        /whole seconds/,
        (call) =>
          call('POST /api/auth/hmac', {
            body: '{}',
            ...headers(signed('demo-hmac-secret', Date.now())),
          }),
      ],
    ],
  },
  'auth-csrf': {
    async solve(call) {
      const { csrfToken } = (await call('GET /api/auth/csrf/token')).json;
      const both = { Cookie: `XSRF-TOKEN=${csrfToken}`, 'X-CSRF-Token': csrfToken };
      await call('POST /api/auth/csrf/submit', headers(both));
    },
    misses: [
      [
        /not the token as a header/,
        async (call) => {
          const { csrfToken } = (await call('GET /api/auth/csrf/token')).json;
          await call('POST /api/auth/csrf/submit', headers({ Cookie: `XSRF-TOKEN=${csrfToken}` }));
        },
      ],
    ],
  },
  'auth-session': {
    async solve(call) {
      const { headers: received } = await call(`POST ${session}/login`, { json: ada });
      const Cookie = received['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      await call(`GET ${session}/me`, headers({ Cookie }));
      await call(`POST ${session}/logout`, headers({ Cookie }));
    },
    misses: [
      [
        /no cookie/,
        async (call) => [
          await call(`POST ${session}/login`, { json: ada }),
          await call(`GET ${session}/me`),
        ],
      ],
    ],
  },
};
