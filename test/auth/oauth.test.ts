import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import { type HttpResponse, useService } from '../support/service.js';

const startMs = Date.UTC(2026, 0, 1);
let nowMs = startMs;
const service = useService({ now: () => nowMs });
/** A client whose id and secret both change when they are form-url-encoded before base64. */
const oddSecret = 'p+s %zz:/&=é';
const odd = useService({ oauthClient: `odd client:${oddSecret}` });

const tokenPath = '/api/auth/oauth/token';
let client: { clientId: string; clientSecret: string };
let right: string;
beforeAll(async () => {
  client = (await demoCredentials(service)).oauth;
  right = basicHeader(client.clientId, client.clientSecret);
});
beforeEach(() => {
  nowMs = startMs;
});

type Form = string | Record<string, string>;

function post(
  path: string,
  form: Form,
  headers: Record<string, string> = { authorization: right },
) {
  return service.send(`POST ${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

async function newToken(form: Record<string, string> = {}): Promise<string> {
  const { status, json } = await post(tokenPath, { grant_type: 'client_credentials', ...form });
  expect(status).toBe(200);
  return json.access_token;
}

function expectOAuthError(response: HttpResponse, code: string): void {
  const { status, headers, json } = response;
  expect(status).toBe(code === 'invalid_client' ? 401 : 400);
  expect(json).toEqual({
    status,
    error: code,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
    message: expect.any(String),
  });
  expect(headers['cache-control']).toBe('no-store');
  expect(headers.pragma).toBe('no-cache');
  expect(headers['www-authenticate']).toBe(
    status === 401 ? 'Basic realm="Practice API", charset="UTF-8"' : undefined,
  );
}

describe('the token endpoint', () => {
  test('returns a token for Basic client credentials, which must not be stored', async () => {
    const { status, headers, json } = await post(tokenPath, { grant_type: 'client_credentials' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.pragma).toBe('no-cache');
    expect(json).toEqual({
      access_token: expect.stringMatching(/^oat_[0-9a-f]{40}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write profile email',
    });
  });

  test('grants the requested scopes', async () => {
    const form = { grant_type: 'client_credentials', scope: 'write read write' };
    expect((await post(tokenPath, form)).json.scope).toBe('write read');
  });

  test('accepts the credentials in the form instead', async () => {
    const { clientId, clientSecret } = client;
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    };
    expect((await post(tokenPath, form, {})).status).toBe(200);
    expectOAuthError(await post(tokenPath, { ...form, client_secret: 'x' }, {}), 'invalid_client');
  });

  test('accepts the same client_id beside Basic, as some clients send it', async () => {
    const form = { grant_type: 'client_credentials', client_id: client.clientId };
    expect((await post(tokenPath, form)).status).toBe(200);
    expectOAuthError(await post(tokenPath, { ...form, client_id: 'x' }), 'invalid_request');
  });

  test('decodes the form-url-encoding of client id and secret (RFC 6749 section 2.3.1)', async () => {
    const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
    const send = (authorization: string) =>
      odd.send(`POST ${tokenPath}`, {
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
    const encoded = basicHeader(encode('odd client'), encode(oddSecret));
    expect((await send(encoded)).status).toBe(200);
    expectOAuthError(await send(basicHeader('odd client', oddSecret)), 'invalid_client');
  });

  const grant = 'grant_type=client_credentials';
  test.each<[string, string, string]>([
    ['no grant_type', '', 'invalid_request'],
    ['an empty grant_type, as if omitted', 'grant_type=', 'invalid_request'],
    ['another grant', 'grant_type=password&username=a&password=b', 'unsupported_grant_type'],
    ['a grant in another case', 'grant_type=Client_Credentials', 'unsupported_grant_type'],
    ['an unknown scope', `${grant}&scope=admin`, 'invalid_scope'],
    ['a scope with a comma', `${grant}&scope=read,write`, 'invalid_scope'],
    ['two spaces in the scope', `${grant}&scope=read++write`, 'invalid_scope'],
    ['a repeated grant_type', `${grant}&${grant}`, 'invalid_request'],
    ['a repeated scope', `${grant}&scope=read&scope=write`, 'invalid_request'],
    ['a repeated unknown parameter', `${grant}&x=1&x=2`, 'invalid_request'],
    ['authentication twice', `${grant}&client_secret=x`, 'invalid_request'],
  ])('%s', async (_name, form, code) => {
    expectOAuthError(await post(tokenPath, form), code);
  });

  test('an empty scope is the same as no scope', async () => {
    expect((await post(tokenPath, `${grant}&scope=`)).json.scope).toBe('read write profile email');
  });

  test.each<[string, Record<string, string>, string]>([
    ['no authentication', {}, ''],
    ['only an id', {}, '&client_id=demo-client'],
    ['only a secret', {}, '&client_secret=x'],
    ['a wrong secret', { authorization: basicHeader('demo-client', 'x') }, ''],
    ['an unknown client', { authorization: basicHeader('x', 'demo-client-secret') }, ''],
    ['malformed Basic', { authorization: 'Basic !' }, ''],
    ['another scheme', { authorization: 'Bearer x' }, ''],
    ['a malformed escape', { authorization: basicHeader('demo%client', 'x') }, ''],
  ])('%s is invalid_client', async (_name, headers, form) => {
    expectOAuthError(await post(tokenPath, grant + form, headers), 'invalid_client');
  });

  test('an unknown client and a wrong secret get the same response', async () => {
    const wrong = await post(tokenPath, grant, { authorization: basicHeader('demo-client', 'x') });
    const unknown = await post(tokenPath, grant, { authorization: basicHeader('x', 'x') });
    expect(unknown.text).toBe(wrong.text);
  });

  test.each([
    ['JSON', { 'content-type': 'application/json' }, '{"grant_type":"client_credentials"}'],
    ['no content type', {}, grant],
    [
      'a content encoding',
      { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
      grant,
    ],
    [
      'bytes that are not UTF-8',
      { 'content-type': 'application/x-www-form-urlencoded' },
      Buffer.from([0x61, 0x3d, 0xff]),
    ],
    ['no body', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
  ])('a request with %s is invalid_request', async (_name, headers, body) => {
    const response = await service.send(`POST ${tokenPath}`, {
      headers: { authorization: right, ...headers },
      body,
    });
    expectOAuthError(response, 'invalid_request');
  });

  test('a form over a mebibyte is 413', async () => {
    expect((await post(tokenPath, `${grant}&x=${'x'.repeat(1024 * 1024)}`)).status).toBe(413);
  });

  test('two Authorization headers are invalid_request', async () => {
    const response = await service.send(`POST ${tokenPath}`, {
      headers: [
        ['authorization', right],
        ['authorization', right],
        ['content-type', 'application/x-www-form-urlencoded'],
      ],
      body: grant,
    });
    expectOAuthError(response, 'invalid_request');
  });
});

describe('the protected resource', () => {
  function get(token: string) {
    return service.send('GET /api/auth/oauth/protected', {
      headers: { authorization: `Bearer ${token}` },
    });
  }

  test('shows the owner of the token and its remaining lifetime', async () => {
    const token = await newToken({ scope: 'read' });
    nowMs += 100_001;
    const { status, json } = await get(token);
    expect(status).toBe(200);
    expect(json).toEqual({
      message: expect.any(String),
      client_id: client.clientId,
      sub: client.clientId,
      scope: 'read',
      expires_in: 3500,
    });
  });

  test('a token is valid until a moment before its expiry; then the error names the time', async () => {
    const token = await newToken();
    nowMs = startMs + 3_599_999;
    expect((await get(token)).status).toBe(200);
    nowMs = startMs + 3_600_000;
    const { status, headers } = await get(token);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="Practice API", error="invalid_token", error_description="The token expired at '2026-01-01T01:00:00.000Z'"`,
    );
  });

  test('an unknown token is invalid_token; a missing one only gets a challenge', async () => {
    const unknown = await get(`oat_${'0'.repeat(40)}`);
    expect(unknown.status).toBe(401);
    expect(unknown.headers['www-authenticate']).toContain('error="invalid_token"');
    const { status, headers } = await service.send('GET /api/auth/oauth/protected');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="Practice API"');
  });
});

describe('introspection (RFC 7662)', () => {
  const path = '/api/auth/oauth/introspect';

  test('describes an active token', async () => {
    const token = await newToken({ scope: 'read' });
    const { status, headers, json } = await post(path, { token });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const issuedAt = startMs / 1000;
    expect(json).toEqual({
      active: true,
      scope: 'read',
      client_id: client.clientId,
      token_type: 'Bearer',
      exp: issuedAt + 3600,
      iat: issuedAt,
      nbf: issuedAt,
      sub: client.clientId,
      aud: service.url,
      iss: service.url,
    });
  });

  test('reports unknown, expired and revoked tokens only as inactive', async () => {
    const [expired, revoked] = [await newToken(), await newToken()];
    await post('/api/auth/oauth/revoke', { token: revoked });
    nowMs = startMs + 3_600_000;
    for (const token of ['x', expired, revoked]) {
      const { status, json } = await post(path, { token, token_type_hint: 'access_token' });
      expect(status).toBe(200);
      expect(json).toEqual({ active: false });
    }
  });

  test('requires a client and a token', async () => {
    expectOAuthError(await post(path, { token: 'x' }, {}), 'invalid_client');
    expectOAuthError(await post(path, {}), 'invalid_request');
    expectOAuthError(await post(path, 'token=a&token=b'), 'invalid_request');
  });
});

describe('revocation (RFC 7009)', () => {
  const path = '/api/auth/oauth/revoke';

  test('a revoked token is invalid, and its rejection says since when', async () => {
    const [token, other] = [await newToken(), await newToken()];
    expect((await post(path, { token })).status).toBe(200);
    nowMs += 1000;
    expect((await post(path, { token })).status).toBe(200);
    const get = (sent: string) =>
      service.send('GET /api/auth/oauth/protected', {
        headers: { authorization: `Bearer ${sent}` },
      });
    const { status, json } = await get(token);
    expect(status).toBe(401);
    expect(json.message).toBe("The token was revoked at '2026-01-01T00:00:00.000Z'.");
    expect((await get(other)).status).toBe(200);
  });

  test('an unknown token gets the same response', async () => {
    const { status, json } = await post(path, { token: 'x', token_type_hint: 'refresh_token' });
    expect(status).toBe(200);
    expect(json).toEqual({});
  });

  test('requires a client and a token', async () => {
    expectOAuthError(await post(path, { token: 'x' }, {}), 'invalid_client');
    expectOAuthError(await post(path, {}), 'invalid_request');
  });
});

test('the metadata names endpoints that exist (RFC 8414)', async () => {
  const { status, json } = await service.send('GET /.well-known/oauth-authorization-server');
  expect(status).toBe(200);
  expect(json).toEqual({
    issuer: service.url,
    token_endpoint: `${service.url}/api/auth/oauth/token`,
    introspection_endpoint: `${service.url}/api/auth/oauth/introspect`,
    revocation_endpoint: `${service.url}/api/auth/oauth/revoke`,
    scopes_supported: ['read', 'write', 'profile', 'email'],
    response_types_supported: ['none'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
  for (const name of ['token_endpoint', 'introspection_endpoint', 'revocation_endpoint']) {
    const { pathname } = new URL(json[name]);
    expect((await service.send(`POST ${pathname}`)).status).toBe(400);
  }
});

describe('a client that does not form-url-encode its Basic credentials', () => {
  const plus = useService({ oauthClient: 'my+client:p+s/x=1%41' });
  const ask = (service: typeof plus, user: string, password: string) =>
    service.send(`POST ${tokenPath}`, {
      headers: {
        authorization: basicHeader(user, password),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });

  test('gets a hint when the encoded credentials would be right', async () => {
    const response = await ask(plus, 'my+client', 'p+s/x=1%41');
    expectOAuthError(response, 'invalid_client');
    expect(response.json.message).toContain('were not form-url-encoded before base64');
    expect((await ask(plus, 'my%2Bclient', 'p%2Bs%2Fx%3D1%2541')).status).toBe(200);
  });

  test.each([
    ['a wrong secret', 'my+client', 'q+s/x=1%41'],
    ['another client', 'your+client', 'p+s/x=1%41'],
    ['a wrong encoded secret', 'my%2Bclient', 'p%2Bs'],
  ])('gets no hint about %s', async (_name, user, password) => {
    const { json } = await ask(plus, user, password);
    expect(json.message).toBe('The client id or the client secret is wrong.');
  });
});
