import { expect, test } from 'vitest';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { type SendOptions, send } from '../support/service.js';

endPrograms();

/** Secret settings with unique values, which no log line contains by chance. */
const credentials = {
  AUTH_BASIC_USER: 'hush-user-1:hush-password-1',
  AUTH_DIGEST_USER: 'hush-user-2:hush-password-2',
  AUTH_API_KEY: 'hush-api-key',
  AUTH_BEARER_TOKENS: 'hush-admin-token,hush-user-token,hush-reader-token',
  AUTH_JWT_ADMIN: 'hush-jwt-admin:hush-password-3',
  AUTH_JWT_USER: 'hush-jwt-user:hush-password-4',
  AUTH_OAUTH_CLIENT: 'hush-client:hush-client-secret',
  AUTH_HMAC_SECRET: 'hush-hmac-secret',
  AUTH_SIGV4_KEY: 'AKIDHUSH:hush-sigv4-secret',
};

const headerNames = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'X-API-Key',
  'X-Service-Key',
  'X-CSRF-Token',
  'X-Signature',
  'X-Hub-Signature-256',
  'Stripe-Signature',
  'X-Signing-Secret',
  'X-Sandbox',
  'X-Client-Id',
  'X-Anything',
  'Referer',
  'If-None-Match',
];

const parameterNames = ['api_key', 'access_token', 'token', 'password', 'client_secret', 'x', 'q'];

test.each(['info', 'debug', 'trace'])(
  'the log at %s holds no secret, however it is sent',
  async (level) => {
    const settings = ['--port', '0', '--accounts', 'required', '--log-level', level];
    const program = runProgram(settings, credentials);
    const url = await program.started;
    const { json: account } = await send(url, 'POST /api/accounts', { json: {} });
    const key = { 'X-Service-Key': account.key };
    const ask = (target: string, { headers = {}, ...rest }: SendOptions = {}) =>
      send(url, target, { headers: { ...key, ...(headers as object) }, ...rest });

    const shown = await demoCredentials({ send: ask });
    const { jwt, oauth } = shown;
    const login = await ask('POST /api/auth/jwt/login', { json: jwt[0] });
    const form = `grant_type=client_credentials&client_id=${oauth.clientId}&client_secret=${oauth.clientSecret}`;
    const granted = await ask('POST /api/auth/oauth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    const csrf = await ask('GET /api/auth/csrf/token');
    const bin = await ask('POST /api/webhooks/bins', { json: {} });
    const address = await ask('POST /api/sandbox/address');
    expect([login.status, granted.status, csrf.status, bin.status]).toEqual([200, 200, 200, 201]);
    const secrets = [
      ...textsIn(shown).filter((text) => text.startsWith('hush')),
      account.key,
      login.json.accessToken,
      login.json.refreshToken,
      granted.json.access_token,
      csrf.json.csrfToken,
      bin.json.id,
      address.json.address.slice(-22),
      basicHeader(shown.basic.username, shown.basic.password).slice('Basic '.length),
    ] as string[];
    expect(secrets.length).toBe(24);

    for (const secret of secrets) {
      const inUrl = encodeURIComponent(secret);
      await send(url, `GET /api/auth/basic/${inUrl}/${inUrl}`, { headers: key });
      for (const target of [
        `GET /${inUrl}`,
        `GET /api/nothing/${inUrl}`,
        `GET /api/auth/basic-hidden/${inUrl}/${inUrl}`,
        `POST /api/auth/basic/${inUrl}/${inUrl}`,
        `PUT /api/webhooks/${inUrl}/${inUrl}`,
        `GET /api/webhooks/bins/${inUrl}`,
        `GET /health/${inUrl}`,
        `GET /api/methods/get?${inUrl}`,
        `GET ${url}/api/methods/get?x=${inUrl}`,
        `OPTIONS /api/webhooks/${inUrl}`,
        // One of them is right.
        `GET /s/~${inUrl}/api/Books/1?error=500`,
        `GET /s/~${inUrl}/nothing`,
        `DELETE /s/~${inUrl}/`,
        `GET /.well-known/oauth-authorization-server/s/~${inUrl}`,
        `DELETE /api/sandbox/address/~${inUrl}x`,
      ]) {
        await ask(target);
      }
      for (const name of parameterNames) await ask(`GET /api/methods/any?${name}=${inUrl}`);
      for (const name of headerNames) {
        const value = name === 'Authorization' ? `Bearer ${secret}` : secret;
        await send(url, 'GET /api/methods/any', { headers: { [name]: value } });
        await send(url, 'GET /api/auth/bearer', { headers: { ...key, [name]: value } });
      }
      await ask('POST /api/auth/jwt/login', { json: { username: secret, password: secret } });
      await ask('POST /api/auth/jwt/refresh', { json: { refreshToken: secret } });
      await ask('POST /api/methods/post', { body: secret });
      await ask('POST /api/auth/oauth/token', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `client_secret=${inUrl}&client_id=${inUrl}`,
      });
    }
    const ofClass = await ask('POST /api/classes', { json: { name: 'Monday' } });
    const { joinCode } = ofClass.json;
    const pupil = await ask('POST /api/classes/join', { json: { joinCode, name: 'Ada' } });
    const { code } = pupil.json;
    for (const own of [code, 'AAAAAA', 7]) {
      await ask(`POST /api/classes/${joinCode}/rejoin?code=${code}`, { json: { code: own } });
      await ask(`POST /api/classes/${joinCode}/rejoin`, { json: { code: own } });
    }
    await ask(`GET /api/classes/${joinCode}/rejoin`);
    await ask(`GET /api/classes/${joinCode}/${code}`);
    await ask(`GET /class?code=${joinCode}`);
    const keyPaths = [address, pupil].map(({ json }) => new URL(json.address).pathname);
    for (const path of keyPaths) await plantEverywhere(url, path, ask);
    const keysOfPaths = keyPaths.map((path) => path.slice('/s/~'.length));
    secrets.push(...keysOfPaths, ofClass.json.teacherKey, joinCode, code);
    program.process.kill('SIGTERM');
    await program.ended;
    const { stdout, stderr } = program.output();
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(secrets.length * 30);
    // The banner is for the user at the terminal.
    const log = [...lines, stderr].join('\n');
    // Addresses that are planted in a logged header appear without its key.
    if (level !== 'info') expect(log).toContain('/s/~…');
    for (const secret of secrets) {
      expect(log).not.toContain(secret);
      expect(log).not.toContain(encodeURIComponent(secret));
      expect(log).not.toContain(inHex(secret));
    }
  },
  120_000,
);

const inHex = (text: string) =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');

/** Headers and parameters that the log has at debug. */
const loggedNames = [
  ...['Origin', 'User-Agent', 'Via', 'X-Forwarded-For', 'Accept-Language', 'Content-Type'],
  ...['Accept', 'X-Api-Version', 'X-Request-Id'],
];

/** Sends an address, which is a key, in headers and parameters that the log shows. */
async function plantEverywhere(
  url: string,
  path: string,
  ask: (target: string, options?: SendOptions) => Promise<unknown>,
): Promise<void> {
  const hidden = `/s/~${inHex(path.slice('/s/~'.length))}`;
  for (const text of [path, `https://example.com${path}/x`, encodeURIComponent(path), hidden]) {
    for (const name of loggedNames) {
      const headers = { [name]: text };
      await ask('GET /api/methods/any', { headers });
      await send(url, `GET ${path}/api/methods/any`, { headers });
    }
    await ask(`GET /api/methods/any?sort=${text}&format=${text}&${text}`);
    await send(url, `GET ${path}${path}/api/Books?sort=${text}`);
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
