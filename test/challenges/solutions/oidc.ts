/** Solutions of the track oidc. */

import { challenge, usualRequest, verifier } from '../../support/oidc.js';
import type { HttpResponse } from '../../support/service.js';
import { basic, bearer, type Call, form, headers, type Solutions } from './solution.js';

type Fields = Readonly<Record<string, string>>;

const spa = { client_id: 'demo-spa', auto: 'ada', scope: 'openid profile offline_access' };
const web = { client_id: 'demo-web', client_secret: 'demo-web-secret-of-32-characters' };
const authorize = (call: Call, more: Fields = {}) =>
  call(`GET /oidc/authorize?${new URLSearchParams({ ...usualRequest(spa), ...more })}`);
const codeIn = ({ headers: received }: HttpResponse) =>
  new URL(received.location ?? '').searchParams.get('code') ?? '';
const redeeming = (code: string): Fields => ({
  grant_type: 'authorization_code',
  client_id: 'demo-spa',
  code,
  redirect_uri: usualRequest().redirect_uri ?? '',
  code_verifier: verifier,
});
const token = async (call: Call, fields: Fields, more: Fields = {}) =>
  (await call('POST /oidc/token', form(fields, more))).json;
const flow = async (call: Call, more: Fields = {}) =>
  token(call, redeeming(codeIn(await authorize(call, more))));

export const oidcSolutions: Solutions = {
  'oidc-discovery': {
    async solve(call) {
      await call('GET /oidc/.well-known/openid-configuration');
      await call('GET /oidc/jwks');
    },
    misses: [[/without the metadata/, (call) => call('GET /oidc/jwks')]],
  },
  'oidc-code': {
    solve: (call) => flow(call, { code_challenge: challenge }),
    misses: [
      [
        /no code_verifier/,
        async (call) => {
          const { code_verifier, ...rest } = redeeming(codeIn(await authorize(call)));
          await token(call, rest);
        },
      ],
      [/must be S256/, (call) => authorize(call, { code_challenge_method: 'plain' })],
    ],
  },
  'oidc-state': {
    solve: (call) => authorize(call, { state: 'a-long-state', nonce: 'a-long-nonce' }),
    misses: [
      [/no nonce/, (call) => authorize(call, { state: 'a-long-state' })],
      [/too short/, (call) => authorize(call, { nonce: 'a-long-nonce' })],
    ],
  },
  'oidc-userinfo': {
    solve: async (call) =>
      call('GET /oidc/userinfo', headers(bearer((await flow(call)).access_token))),
    misses: [
      [
        /not the access token/,
        async (call) => [await flow(call), await call('GET /oidc/userinfo')],
      ],
    ],
  },
  'oidc-refresh': {
    async solve(call) {
      const { refresh_token } = await flow(call);
      await token(call, { grant_type: 'refresh_token', client_id: 'demo-spa', refresh_token });
    },
    misses: [[/no refresh token/, (call) => flow(call, { scope: 'openid' })]],
  },
  'oidc-code-once': {
    async solve(call) {
      const fields = redeeming(codeIn(await authorize(call)));
      await token(call, fields);
      await token(call, fields);
    },
    misses: [
      [
        /another code/,
        async (call) => {
          await token(call, redeeming(codeIn(await authorize(call))));
          await token(call, redeeming('x'));
        },
      ],
    ],
  },
  'oidc-service': {
    solve: (call) =>
      token(
        call,
        { grant_type: 'client_credentials' },
        basic('demo-service', 'demo-service-secret-of-32-letters'),
      ),
    misses: [
      [
        /rejected/,
        (call) => token(call, { grant_type: 'client_credentials' }, basic('demo-service', 'x')),
      ],
    ],
  },
  'oidc-device': {
    async solve(call) {
      const device = form({ client_id: 'demo-device' });
      const { json } = await call('POST /oidc/device_authorization', device);
      await call(`GET /oidc/device?user_code=${json.user_code}&auto=ada`);
      await token(call, {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'demo-device',
        device_code: json.device_code,
      });
    },
    misses: [
      [
        /auto=ada/,
        async (call) => {
          const device = form({ client_id: 'demo-device' });
          const { json } = await call('POST /oidc/device_authorization', device);
          await call(`GET /oidc/device?user_code=${json.user_code}`);
        },
      ],
    ],
  },
  'oidc-pushed': {
    async solve(call) {
      const { json } = await call('POST /oidc/par', form({ ...usualRequest(), ...web }));
      const query = { client_id: 'demo-web', request_uri: json.request_uri, auto: 'ada' };
      await call(`GET /oidc/authorize?${new URLSearchParams(query)}`);
    },
    misses: [
      [
        /request_uri that you got/,
        async (call) => {
          await call('POST /oidc/par', form({ ...usualRequest(), ...web }));
          await authorize(call);
        },
      ],
    ],
  },
  'oidc-register': {
    async solve(call) {
      const json = { redirect_uris: ['https://app.example/callback'] };
      const { json: client } = await call('POST /oidc/register', { json });
      const own = headers(bearer(client.registration_access_token));
      await call(`GET /oidc/register/${client.client_id}`, own);
    },
    misses: [
      [
        /not its registration/,
        async (call) => {
          const json = { redirect_uris: ['https://app.example/callback'] };
          const { json: client } = await call('POST /oidc/register', { json });
          await call(`GET /oidc/register/${client.client_id}`);
        },
      ],
    ],
  },
  'oidc-rotation': {
    async solve(call) {
      await call('GET /oidc/jwks');
      await call('POST /oidc/keys/rotate');
      await call('GET /oidc/jwks');
    },
    misses: [[/before you read/, (call) => call('POST /oidc/keys/rotate')]],
  },
};
