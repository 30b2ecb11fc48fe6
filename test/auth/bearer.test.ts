import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
const realm = 'Bearer realm="Practice API"';

const owners = {
  admin: { user: 'admin', roles: ['admin', 'user'], scopes: ['read', 'write', 'delete'] },
  user: { user: 'user', roles: ['user'], scopes: ['read', 'write'] },
  readOnly: { user: 'read-only', roles: ['read-only'], scopes: ['read'] },
} as const;
type Owner = keyof typeof owners;

let tokens: Record<Owner, string>;
beforeAll(async () => {
  tokens = (await demoCredentials(service)).bearer;
});

const endpoints = [
  'GET /api/auth/roles/user',
  'GET /api/auth/roles/admin',
  'DELETE /api/auth/roles/resource',
] as const;

/** Who sends what, and the status of each endpoint in turn. */
const matrix: [who: Owner | 'none' | 'malformed', statuses: [number, number, number]][] = [
  ['admin', [200, 200, 200]],
  ['user', [200, 403, 403]],
  ['readOnly', [403, 403, 403]],
  ['none', [401, 401, 401]],
  ['malformed', [401, 401, 401]],
];

const malformed = [
  'Bearer',
  'Bearer ',
  'Bearer   ',
  'demo-admin-token',
  'Token demo-admin-token',
  'Basic demo-admin-token',
  'Bearer=demo-admin-token',
  'Bearer demo admin token',
  'Bearer "demo-admin-token"',
  'Bearer demo-admin-token,',
  'Bearer é',
  'bearer\tdemo-admin-token',
  ',',
  '',
];

describe.each(matrix)('%s', (who, statuses) => {
  test.each(endpoints.map((target, index) => [target, statuses[index]] as const))(
    `${who}: %s → %i`,
    async (target, expected) => {
      const sent =
        who === 'none'
          ? [undefined]
          : who === 'malformed'
            ? malformed
            : [`Bearer ${tokens[who]}`, `bearer ${tokens[who]}`, `BEARER   ${tokens[who]} `];
      for (const authorization of sent) {
        const options = authorization === undefined ? {} : { headers: { authorization } };
        const { status, headers, json } = await service.send(target, options);
        expect(status, `${authorization}`).toBe(expected);
        const challenge = headers['www-authenticate'];
        if (expected === 200) {
          expect(json).toEqual({ authorized: true, ...owners[who as Owner] });
          expect(challenge).toBeUndefined();
        } else if (expected === 403) {
          const { roles, scopes } = owners[who as Owner];
          expect(json).toEqual({
            status: 403,
            error: 'Forbidden',
            message: expect.stringMatching(
              /^This endpoint requires the role (?:user|admin); the token has /,
            ),
            roles,
            scopes,
          });
          expect(challenge).toMatch(
            /^Bearer realm="Practice API", error="insufficient_scope", error_description="[^"]+"$/,
          );
        } else if (who === 'none') {
          expect(challenge).toBe(realm);
        } else {
          expect(challenge?.startsWith(realm)).toBe(true);
        }
      }
    },
  );
});

test.each(Object.keys(owners) as Owner[])(
  'GET /api/auth/bearer tells what the %s token may',
  async (who) => {
    const { status, json } = await service.send('GET /api/auth/bearer', {
      headers: { authorization: `Bearer ${tokens[who]}` },
    });
    expect(status).toBe(200);
    expect(json).toEqual({ authenticated: true, scheme: 'bearer', ...owners[who] });
  },
);

test('a request without a token is challenged without an error', async () => {
  const { status, headers } = await service.send('GET /api/auth/bearer');
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toBe(realm);
});

test('a wrong token is invalid_token, whatever it resembles', async () => {
  for (const token of [
    'x',
    `${tokens.admin}x`,
    tokens.admin.toUpperCase(),
    '__proto__',
    'readOnly',
  ]) {
    const { status, headers } = await service.send('GET /api/auth/bearer', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="Practice API", error="invalid_token", error_description="[^"]+"$/,
    );
  }
});

test('two Authorization headers are ambiguous', async () => {
  const { status } = await service.send('GET /api/auth/roles/admin', {
    headers: [
      ['Authorization', `Bearer ${tokens.admin}`],
      ['Authorization', `Bearer ${tokens.readOnly}`],
    ],
  });
  expect(status).toBe(400);
});

test('any other method works, and says how large its body was', async () => {
  const authorization = 'Bearer demo-user-token';
  const send = (headers: Record<string, string>) =>
    service.send('POST /api/auth/bearer', { headers, body: 'three' });
  expect((await send({ authorization })).json).toMatchObject({
    authenticated: true,
    bodyBytes: 5,
  });
  const rejected = await send({ authorization: 'Bearer other' });
  expect(rejected.status).toBe(401);
  expect(rejected.json.bodyBytes).toBe(5);
  expect(rejected.headers['www-authenticate']).toContain('error="invalid_token"');
});
