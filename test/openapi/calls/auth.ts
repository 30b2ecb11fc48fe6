/** Calls of the authentication endpoints, with every scheme. */

import { createHmac, hash } from 'node:crypto';
import { placeholderHost } from '../../../src/http/caching/addressed-content.js';
import { authenticateByDigest } from '../../support/authenticate-by-digest.js';
import { basicHeader } from '../../support/demo-credentials.js';
import type { Caller, CallRequest, CallTable } from '../caller.js';
import { nowMs } from '../now.js';
import { anyMethods } from './any-methods.js';

export const callAuth: CallTable = async (caller) => {
  const { credentials } = (await caller.call('getAuth', 'Credentials and endpoints')).json;
  await callBasic(caller, credentials.basic);
  await callDigest(caller, credentials.digest);
  await callApiKey(caller, credentials.apiKey);
  await callBearer(caller, credentials.bearer);
  await callJwt(caller, credentials.jwt);
  await callOAuth(caller, credentials.oauth);
  await callHmac(caller, credentials.hmac.secret);
  await callSigv4(caller, credentials.sigv4);
  await callCsrf(caller);
};

const others = anyMethods.filter((method) => method !== 'get');

/** A body, for the methods that usually have one. */
const bodyOf = (method: string): CallRequest =>
  /^(?:post|put|patch)$/.test(method) ? { json: { title: 'A body' } } : {};

interface User {
  readonly username: string;
  readonly password: string;
}

const authorized = (authorization: string): CallRequest => ({
  headers: { Authorization: authorization },
});

async function callBasic(caller: Caller, { username, password }: User): Promise<void> {
  const right = authorized(basicHeader(username, password));
  const wrong = authorized(basicHeader(username, 'wrong'));
  await caller.call('getAuthBasic', 'The right password', right);
  await caller.call('getAuthBasic', 'A wrong password', wrong);

  for (const method of others) {
    await caller.call(`${method}AuthBasic`, 'The right password', { ...right, ...bodyOf(method) });
    await caller.call(`${method}AuthBasic`, 'A wrong password', { ...wrong, ...bodyOf(method) });
  }

  const path = { user: 'ada', password: 'secret' };
  const named = authorized(basicHeader('ada', 'secret'));
  await caller.call('getAuthBasicByUserByPassword', 'The credentials in the path', {
    path,
    ...named,
  });
  await caller.call('getAuthBasicByUserByPassword', 'A colon in the user name', {
    path: { ...path, user: 'a:b' },
  });

  for (const method of others) {
    const on = `${method}AuthBasicByUserByPassword`;
    const body = bodyOf(method);
    await caller.call(on, 'The credentials in the path', { path, ...named, ...body });
    await caller.call(on, 'A colon in the user name', { path: { ...path, user: 'a:b' }, ...body });
  }

  const hidden = { a: 'ada', b: 'secret' };
  const empty = authorized(basicHeader('ada', ''));
  await caller.call('getAuthBasicByUser', 'An empty password', { path: { user: 'ada' }, ...empty });
  await caller.call('getAuthBasicByUser', 'A colon in the user name', {
    path: { user: 'a:b' },
    ...empty,
  });
  await caller.call('getAuthBasicHiddenByA', 'An empty password', { path: { a: 'ada' }, ...empty });
  await caller.call('getAuthBasicHiddenByAByB', 'The credentials in the path', {
    path: hidden,
    ...named,
  });
}

async function callDigest(caller: Caller, user: User): Promise<void> {
  const uri = '/api/auth/digest';
  const { headers } = await caller.call('getAuthDigest', 'The challenge');
  const challenge = headers['www-authenticate'] ?? '';
  const right = authenticateByDigest(challenge, { ...user, uri });
  await caller.call('getAuthDigest', 'The response to the challenge', authorized(right));
  await caller.call('getAuthDigest', 'The same response again', authorized(right));
  await caller.call('getAuthDigest', 'An unknown algorithm', { query: { algorithm: 'CRC32' } });

  const query = { algorithm: 'SHA-256', qop: 'auth-int' };
  const protecting = await caller.call('getAuthDigest', 'Another challenge', { query });
  const response = authenticateByDigest(protecting.headers['www-authenticate'] ?? '', {
    ...user,
    uri: `${uri}?algorithm=SHA-256&qop=auth-int`,
  });
  await caller.call('getAuthDigest', 'A response to another challenge', {
    query,
    ...authorized(response),
  });

  for (const method of others) {
    const on = `${method}AuthDigest`;
    const body = bodyOf(method);
    const challenged = await caller.call(on, 'The challenge', body);
    const own = { ...user, uri, method: method.toUpperCase() };
    const credentials = authenticateByDigest(challenged.headers['www-authenticate'] ?? '', own);
    await caller.call(on, 'The response to the challenge', { ...body, ...authorized(credentials) });
    await caller.call(on, 'An unknown algorithm', { query: { algorithm: 'CRC32' }, ...body });
  }
}

async function callApiKey(caller: Caller, key: string): Promise<void> {
  const ways: readonly (readonly [string, (key: string) => CallRequest])[] = [
    ['getAuthApiKeyHeader', (value) => ({ headers: { 'X-API-Key': value } })],
    ['getAuthApiKeyQuery', (value) => ({ query: { api_key: value } })],
    ['getAuthApiKeyCookie', (value) => ({ headers: { Cookie: `api_key=${value}` } })],
  ];
  for (const [operationId, send] of ways) {
    await caller.call(operationId, 'The key', send(key));
    await caller.call(operationId, 'A wrong key', send('wrong'));
  }
  await caller.call('getAuthApiKeyQuery', 'Two keys', { query: { api_key: [key, key] } });
}

async function callBearer(
  caller: Caller,
  tokens: { readonly admin: string; readonly user: string; readonly readOnly: string },
): Promise<void> {
  const bearer = (token: string) => authorized(`Bearer ${token}`);
  for (const method of others) {
    const on = `${method}AuthBearer`;
    const body = bodyOf(method);
    await caller.call(on, 'The right token', { ...bearer(tokens.user), ...body });
    await caller.call(on, 'A wrong token', { ...bearer('wrong'), ...body });
  }
  for (const [operationId, right, lacking] of [
    ['getAuthBearer', tokens.readOnly, undefined],
    ['getAuthRolesUser', tokens.user, tokens.readOnly],
    ['getAuthRolesAdmin', tokens.admin, tokens.user],
    ['deleteAuthRolesResource', tokens.admin, tokens.user],
  ] as const) {
    await caller.call(operationId, 'The right token', bearer(right));
    await caller.call(operationId, 'An unknown token', bearer('unknown'));
    if (lacking !== undefined)
      await caller.call(operationId, 'Insufficient rights', bearer(lacking));
  }
}

async function callJwt(caller: Caller, users: readonly (User & { role: string })[]): Promise<void> {
  const login = (role: string) => {
    const { username, password } = users.find((user) => user.role === role) as User;
    return { json: { username, password } };
  };
  const admin = (await caller.call('postAuthJwtLogin', 'An admin', login('admin'))).json;
  const user = (await caller.call('postAuthJwtLogin', 'A user', login('user'))).json;
  await caller.call('postAuthJwtLogin', 'A wrong password', {
    json: { username: 'user', password: 'wrong' },
  });
  await caller.call('postAuthJwtLogin', 'No password', { json: { username: 'user' } });

  const bearer = (token: string) => authorized(`Bearer ${token}`);
  const expired = (await caller.call('getAuthJwtExpired', 'An expired token')).json;
  await caller.call('getAuthJwtMe', 'An access token', bearer(user.accessToken));
  await caller.call('getAuthJwtMe', 'An expired token', bearer(expired.accessToken));
  await caller.call('getAuthJwtAdmin', 'An admin', bearer(admin.accessToken));
  await caller.call('getAuthJwtAdmin', 'A user', bearer(user.accessToken));

  await callOrders(caller, authorized(`Bearer ${user.accessToken}`), bearer(admin.accessToken));

  const json = { refreshToken: user.refreshToken };
  await caller.call('postAuthJwtRefresh', 'A refresh token', { json });
  await caller.call('postAuthJwtRefresh', 'The same token again', { json });
  await caller.call('postAuthJwtRefresh', 'No token', { json: {} });
  await caller.call('postAuthJwtLogout', 'A refresh token', {
    json: { refreshToken: admin.refreshToken },
  });
  await caller.call('postAuthJwtLogout', 'No refresh token', { json: { refreshToken: 'jrt_' } });
}

type Authorized = ReturnType<typeof authorized>;

async function callOrders(caller: Caller, user: Authorized, admin: Authorized): Promise<void> {
  const order = { item: 'Chair', quantity: 1, deliverTo: 'Oslo' };
  // The user whose token the reference fills in.
  const byId = { path: { id: 3 } };
  const ofOther = { path: { id: 1 } };
  const json = { quantity: 3 };
  await caller.call('getAuthJwtOrders', 'Your orders', user);
  await caller.call('getAuthJwtOrdersAll', 'An admin', admin);
  await caller.call('getAuthJwtOrdersAll', 'A user', user);
  await caller.call('postAuthJwtOrders', 'An order', { ...user, json: order });
  await caller.call('postAuthJwtOrders', 'No item', { ...user, json: {} });
  await caller.call('getAuthJwtOrdersById', 'Your order', { ...admin, ...byId });
  await caller.call('getAuthJwtOrdersById', 'Of another user', { ...admin, ...ofOther });
  await caller.call('patchAuthJwtOrdersById', 'Your order', { ...admin, ...byId, json });
  await caller.call('patchAuthJwtOrdersById', 'Of another user', {
    ...admin,
    ...ofOther,
    json,
  });
  await caller.call('postAuthJwtOrdersByIdApprove', 'An admin', { ...admin, ...byId });
  await caller.call('postAuthJwtOrdersByIdApprove', 'A user', {
    ...user,
    ...byId,
  });
  await caller.call('deleteAuthJwtOrdersById', 'Your order', { ...admin, ...byId });
  await caller.call('deleteAuthJwtOrdersById', 'Of another user', {
    ...admin,
    ...ofOther,
  });
  for (let placed = 0; placed < 98; placed++) {
    await caller.send('postAuthJwtOrders', { ...user, json: order });
  }
  await caller.call('postAuthJwtOrders', 'Too many orders', {
    ...user,
    json: order,
  });
}

async function callOAuth(
  caller: Caller,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<void> {
  const { headers = {} } = authorized(basicHeader(clientId, clientSecret));
  const form = (fields: Record<string, string>) => ({
    type: 'application/x-www-form-urlencoded',
    body: String(new URLSearchParams(fields)),
  });
  const grant = { grant_type: 'client_credentials' };
  const granted = await caller.call('postAuthOauthToken', 'The client by Basic', {
    headers,
    ...form({ ...grant, scope: 'read write' }),
  });
  await caller.call('postAuthOauthToken', 'The client in the form', {
    ...form({ ...grant, client_id: clientId, client_secret: clientSecret }),
  });
  await caller.call('postAuthOauthToken', 'Another grant', {
    headers,
    ...form({ grant_type: 'password' }),
  });
  await caller.call('postAuthOauthToken', 'No client', form(grant));

  const token = granted.json.access_token;
  const bearer = authorized(`Bearer ${token}`);
  await caller.call('getAuthOauthProtected', 'An access token', bearer);
  for (const operationId of ['postAuthOauthIntrospect', 'postAuthOauthRevoke']) {
    await caller.call(operationId, 'An access token', { headers, ...form({ token }) });
    await caller.call(operationId, 'No token', { headers, ...form({}) });
    await caller.call(operationId, 'No client', form({ token }));
  }
  await caller.call('postAuthOauthIntrospect', 'A revoked token', { headers, ...form({ token }) });
  await caller.call('getWellKnownOauthAuthorizationServer', 'The metadata');
}

async function callHmac(caller: Caller, secret: string): Promise<void> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const body = '{"event": "paid"}';
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const signed = { 'X-Timestamp': timestamp, 'X-Signature': signature };
  const type = 'application/json';
  await caller.call('postAuthHmac', 'A signed body', { headers: signed, type, body });
  await caller.call('postAuthHmac', 'Another body', { headers: signed, type, body: '{}' });
}

interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

async function callSigv4(caller: Caller, key: AccessKey): Promise<void> {
  await caller.call('getAuthSigv4', 'A signed request', { headers: signByAws(key, 'GET') });
  await caller.call('getAuthSigv4', 'Another method was signed', {
    headers: signByAws(key, 'PUT'),
  });
  const chunked = { 'X-Amz-Content-Sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' };
  await caller.call('getAuthSigv4', 'A body signed in chunks', {
    headers: { ...signByAws(key, 'GET'), ...chunked },
  });
  for (const method of others) {
    const headers = signByAws(key, method.toUpperCase());
    await caller.call(`${method}AuthSigv4`, 'A signed request', { headers });
    await caller.call(`${method}AuthSigv4`, 'No signature', bodyOf(method));
  }
}

function signByAws({ accessKeyId, secretAccessKey }: AccessKey, method: string) {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/execute-api/aws4_request`;
  const headers = `host:${placeholderHost}\nx-amz-date:${time}\n`;
  const names = 'host;x-amz-date';
  const canonical = [method, '/api/auth/sigv4', '', headers, names, hash('sha256', '')];
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical.join('\n'))];
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (each, part) => createHmac('sha256', each).update(part).digest(),
      `AWS4${secretAccessKey}`,
    );
  const signature = createHmac('sha256', key).update(toSign.join('\n')).digest('hex');
  return {
    'X-Amz-Date': time,
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

async function callCsrf(caller: Caller): Promise<void> {
  const { csrfToken } = (await caller.call('getAuthCsrfToken', 'A token')).json;
  const headers = { 'X-CSRF-Token': csrfToken, Cookie: `XSRF-TOKEN=${csrfToken}` };
  await caller.call('postAuthCsrfSubmit', 'Cookie and header', { headers });
  await caller.call('postAuthCsrfSubmit', 'Only the header', {
    headers: { 'X-CSRF-Token': csrfToken },
  });
}
