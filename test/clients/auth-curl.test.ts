import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const { describe, test } = testsWith('curl');

const service = useService();
let credentials: Awaited<ReturnType<typeof demoCredentials>>;
beforeAll(async () => {
  credentials = await demoCredentials(service);
});

/** Runs curl on a path of /api/auth and returns the JSON of the last response. */
async function curl(path: string, ...args: string[]) {
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    ...args,
    `${service.url}/api/auth${path}`,
  ]);
  return JSON.parse(stdout);
}

describe('curl --basic', () => {
  test('logs in as the right user, and otherwise learns what is wrong', async () => {
    const { username, password } = credentials.basic;
    expect(await curl('/basic', '--basic', '-u', `${username}:${password}`)).toEqual({
      authenticated: true,
      scheme: 'basic',
      user: username,
    });
    expect((await curl('/basic', '-u', `${username}:x`)).status).toBe(401);
    expect((await curl('/basic')).status).toBe(401);
  });

  test('sends UTF-8 credentials', async () => {
    const path = `/basic/${encodeURIComponent('Jäsøn')}/${encodeURIComponent('Пароль')}`;
    expect((await curl(path, '-u', 'Jäsøn:Пароль')).user).toBe('Jäsøn');
  });

  test('--anyauth finds the scheme by itself', async () => {
    const { username, password } = credentials.basic;
    expect((await curl('/basic', '--anyauth', '-u', `${username}:${password}`)).scheme).toBe(
      'basic',
    );
  });
});

describe('curl --digest', () => {
  // curl before 8.12 hashes SHA-512-256 as SHA-256, so only newer versions support it.
  const algorithms = ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'];
  const cases = algorithms.flatMap((algorithm) =>
    ['auth', 'auth-int', 'auth,auth-int', 'none'].map((qop) => ({ algorithm, qop })),
  );

  test.each(cases.filter(({ algorithm, qop }) => !(algorithm.endsWith('sess') && qop === 'none')))(
    'responds to $algorithm with $qop',
    async ({ algorithm, qop }) => {
      const { username, password } = credentials.digest;
      const user = ['-u', `${username}:${password}`];
      const path = `/digest?algorithm=${algorithm}&qop=${qop}`;
      const record = await curl(path, '--digest', ...user);
      expect(record).toMatchObject({
        authenticated: true,
        scheme: 'digest',
        user: username,
        algorithm,
      });
      expect(['auth', 'auth-int', 'none']).toContain(record.qop);
      expect((await curl(path, '--digest', '-u', `${username}:x`)).status).toBe(401);
    },
  );

  test('repeats requests on one nonce, with increasing counts', async () => {
    const { username, password } = credentials.digest;
    const url = `${service.url}/api/auth/digest`;
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '--digest', '-u', `${username}:${password}`, '-o', '/dev/null', '-o', '/dev/null'],
      ...['-w', '%{http_code} ', url, url],
    ]);
    expect(stdout).toBe('200 200 ');
  });

  test('chooses one of several challenges', async () => {
    const { username, password } = credentials.digest;
    const path = '/digest?algorithm=SHA-256,MD5';
    expect(await curl(path, '--digest', '-u', `${username}:${password}`)).toMatchObject({
      authenticated: true,
    });
  });
});

describe('curl --oauth2-bearer', () => {
  test('gets access by role', async () => {
    const { admin, readOnly } = credentials.bearer;
    expect(await curl('/roles/admin', '--oauth2-bearer', admin)).toMatchObject({
      authorized: true,
    });
    expect((await curl('/roles/resource', '-X', 'DELETE', '--oauth2-bearer', admin)).user).toBe(
      'admin',
    );
    expect((await curl('/roles/user', '--oauth2-bearer', readOnly)).status).toBe(403);
  });

  test('uses a JWT from a login, and a token of the client credentials grant', async () => {
    const [, user = { username: '', password: '' }] = credentials.jwt;
    const { username, password } = user;
    const body = JSON.stringify({ username, password });
    const login = await curl('/jwt/login', '-H', 'Content-Type: application/json', '-d', body);
    expect((await curl('/jwt/me', '--oauth2-bearer', login.accessToken)).username).toBe(username);

    const { clientId, clientSecret } = credentials.oauth;
    const token = await curl(
      ...(['/oauth/token', '-u', `${clientId}:${clientSecret}`] as const),
      ...['-d', 'grant_type=client_credentials', '-d', 'scope=read'],
    );
    const granted = await curl('/oauth/protected', '--oauth2-bearer', token.access_token);
    expect(granted).toMatchObject({ client_id: clientId, scope: 'read' });
  });
});

describe('curl', () => {
  test('sends an API key in each place', async () => {
    const { apiKey } = credentials;
    const sent = await Promise.all([
      curl('/api-key/header', '-H', `X-API-Key: ${apiKey}`),
      curl('/api-key/query', '-G', '--data-urlencode', `api_key=${apiKey}`),
      curl('/api-key/cookie', '-b', `api_key=${apiKey}`),
    ]);
    expect(sent.map(({ authenticated }) => authenticated)).toEqual([true, true, true]);
  });

  test('keeps the CSRF cookie in its jar and submits with it', async () => {
    const jar = ['-b', '/dev/null', '-c', '-'];
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '-o', '/dev/null', ...jar, `${service.url}/api/auth/csrf/token`],
    ]);
    const token = /XSRF-TOKEN\t(\S+)/.exec(stdout)?.[1] ?? '';
    const submitted = await curl(
      ...(['/csrf/submit', '-X', 'POST', '-b', `XSRF-TOKEN=${token}`] as const),
      ...['-H', `X-CSRF-Token: ${token}`],
    );
    expect(submitted.submittedAt).toMatch(/Z$/);
  });
});
