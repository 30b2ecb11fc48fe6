/** Calls of the issuer. Signed values differ with each start, so they are no examples. */

import { challenge, usualRequest, verifier } from '../../support/oidc.js';
import type { Caller, CallRequest, CallTable, HttpResponse } from '../caller.js';

const spa = { client_id: 'demo-spa', scope: 'profile orders offline_access' };
const web = { client_id: 'demo-web', client_secret: 'demo-web-secret-of-32-characters' };
const isNoExample = true;
const isRequestOnly = true;

const form = (fields: Readonly<Record<string, string>>): CallRequest => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
const bearer = (token: string): CallRequest => ({ headers: { Authorization: `Bearer ${token}` } });

export const callOidc: CallTable = async (caller) => {
  await caller.call('getOidcJwks', 'The keys', { isNoExample });
  const headers = { 'X-Sandbox': 'rotating' };
  await caller.call('postOidcKeysRotate', 'In a sandbox', { headers, isNoExample });
  await callRotationsTogether(caller, { headers, isNoExample });
  await callBrowser(caller);
  await callForms(caller);
  await callTokens(caller);
  await callPushed(caller);
  await callDevices(caller);
  await callRegistration(caller);
  await callSettings(caller);
};

async function callRotationsTogether(caller: Caller, request: CallRequest): Promise<void> {
  const operationId = 'postOidcKeysRotate';
  const together = [1, 2].map(() => caller.send(operationId, request));
  const responses = await Promise.all(together);
  const response = responses.find(({ status }) => status === 409);
  if (response !== undefined)
    caller.keep({ operationId, name: 'Two concurrent requests', request, response });
}

async function callBrowser(caller: Caller): Promise<void> {
  const query = usualRequest(spa);
  await caller.call('getOidcAuthorize', 'A login page', { query, isRequestOnly });
  await caller.call('getOidcAuthorize', 'No redirect URI', {
    query: { client_id: 'demo-spa', response_type: 'code', scope: 'openid' },
  });
  await caller.call('getOidcLogout', 'Not logged in', { isRequestOnly });
  const target = { post_logout_redirect_uri: 'http://localhost:4711/', client_id: 'demo-spa' };
  await caller.call('getOidcLogout', 'A redirect back', { query: target });
  await caller.call('getOidcLogout', 'An unknown redirect URI', {
    query: { ...target, post_logout_redirect_uri: 'https://evil.example/' },
  });
}

async function callForms(caller: Caller): Promise<void> {
  const right = usualRequest(spa);
  await caller.call('postOidcAuthorize', 'A login page', { ...form(right), isRequestOnly });
  const auto = form({ ...right, auto: 'ada' });
  await caller.call('postOidcAuthorize', 'Ada, without a page', auto);
  await caller.call('postOidcAuthorize', 'No client', form({ response_type: 'code' }));
  await caller.call('postOidcLogout', 'Not logged in', { ...form({}), isRequestOnly });
  const target = { post_logout_redirect_uri: 'http://localhost:4711/', client_id: 'demo-spa' };
  await caller.call('postOidcLogout', 'A redirect back', form(target));
  const strange = { ...target, client_id: 'nobody' };
  await caller.call('postOidcLogout', 'An unknown client', form(strange));
}

function codeIn({ headers }: HttpResponse): string {
  return new URL(headers.location ?? '').searchParams.get('code') ?? '';
}

async function callTokens(caller: Caller): Promise<void> {
  // The first example must work at any time.
  const service = { client_id: 'demo-service', client_secret: 'demo-service-secret-of-32-letters' };
  const own = form({ grant_type: 'client_credentials', ...service });
  await caller.call('postOidcToken', 'A service', { ...own, isRequestOnly });
  const asked = await caller.call('getOidcAuthorize', 'Ada, without a page', {
    query: usualRequest({ ...spa, code_challenge: challenge, auto: 'ada' }),
  });
  const redeeming = {
    grant_type: 'authorization_code',
    client_id: 'demo-spa',
    code: codeIn(asked),
    redirect_uri: usualRequest().redirect_uri ?? '',
    code_verifier: verifier,
  };
  const { json: tokens } = await caller.call('postOidcToken', 'A code', form(redeeming));
  const refreshing = {
    grant_type: 'refresh_token',
    client_id: 'demo-spa',
    refresh_token: tokens.refresh_token,
  };
  const { json } = await caller.call('postOidcToken', 'A refresh token', form(refreshing));
  const token = json.access_token;
  const withOpenId = usualRequest({ client_id: 'demo-spa', auto: 'ada' });
  const again = await caller.send('getOidcAuthorize', { query: withOpenId });
  const known = await caller.send('postOidcToken', form({ ...redeeming, code: codeIn(again) }));
  await caller.call('getOidcUserinfo', 'Ada', bearer(known.json.access_token));
  await caller.call('getOidcUserinfo', 'Without the scope openid', bearer(token));
  const posted = form({ access_token: known.json.access_token });
  await caller.call('postOidcUserinfo', 'The token in a form', posted);
  await caller.call('postOidcUserinfo', 'Without the scope openid', form({ access_token: token }));
  await caller.call('postOidcUserinfo', 'No token', form({}));
  await caller.call('getOidcApiMe', 'Ada', bearer(token));
  await caller.call('getOidcApiOrders', 'Orders of Ada', bearer(token));
  await caller.call('getOidcApiOrders', 'Without the scope', bearer(known.json.access_token));
  await caller.call('getOidcApiOrders', 'An unknown token', bearer('unknown'));
  const bare = { ...usualRequest(spa), scope: 'orders', auto: 'ada' };
  const few = codeIn(await caller.send('getOidcAuthorize', { query: bare }));
  const lacking = await caller.send('postOidcToken', form({ ...redeeming, code: few }));
  await caller.call('getOidcApiMe', 'Without the scope', bearer(lacking.json.access_token));
  await caller.call('postOidcIntrospect', 'A token', form({ ...web, token }));
  await caller.call('postOidcIntrospect', 'An unknown token', form({ ...web, token: 'unknown' }));
  await caller.call('postOidcIntrospect', 'No token', form(web));
  await caller.call('postOidcIntrospect', 'No client', form({ token }));
  await caller.call('postOidcRevoke', 'A token', form({ client_id: 'demo-spa', token }));
  await caller.call('postOidcRevoke', 'No token', form({ client_id: 'demo-spa' }));
  await caller.call('postOidcRevoke', 'No client', form({ token }));
  await caller.call('postOidcToken', 'The same code again', form(redeeming));
  const wrong = { grant_type: 'client_credentials', client_id: 'demo-service', client_secret: 'x' };
  await caller.call('postOidcToken', 'A wrong secret', form(wrong));
}

async function callPushed(caller: Caller): Promise<void> {
  const right = { ...usualRequest(), ...web };
  await caller.call('postOidcPar', 'A request', { ...form(right), isRequestOnly });
  await caller.call('postOidcPar', 'No client', form({ response_type: 'code' }));
  await caller.call(
    'postOidcPar',
    'An unknown redirect URI',
    form({ ...right, redirect_uri: 'x' }),
  );
}

async function callDevices(caller: Caller): Promise<void> {
  const own = { client_id: 'demo-device' };
  const name = 'postOidcDeviceAuthorization';
  const { json } = await caller.call(name, 'A device', { ...form(own), isRequestOnly });
  await caller.call(name, 'No client', form({}));
  await caller.call(name, 'An unknown scope', form({ ...own, scope: 'all' }));
  const query = { user_code: json.user_code, auto: 'ada' };
  await caller.call('getOidcDevice', 'Ada, without a page', { query, isNoExample });
  await caller.call('getOidcDevice', 'An unknown code', { query: { user_code: 'BBBB-BBBB' } });
}

async function callRegistration(caller: Caller): Promise<void> {
  const json = { client_name: 'My app', redirect_uris: ['https://app.example/callback'] };
  const { json: client } = await caller.call('postOidcRegister', 'A client', { json });
  await caller.call('postOidcRegister', 'A fragment', {
    json: { redirect_uris: ['https://app.example/#callback'] },
  });
  const path = { clientId: client.client_id };
  const own = { path, ...bearer(client.registration_access_token) };
  // The maximum number of clients.
  const headers = { 'X-Sandbox': 'crowded' };
  for (let count = 0; count < 100; count++)
    await caller.send('postOidcRegister', { json, headers });
  await caller.call('postOidcRegister', 'One client too many', { json, headers });
  await caller.call('getOidcRegisterByClientId', 'Its own token', own);
  await caller.call('putOidcRegisterByClientId', 'Another name', {
    ...own,
    json: { ...json, client_name: 'Our app' },
  });
  await caller.call('putOidcRegisterByClientId', 'No redirect URI', { ...own, json: {} });
  await caller.call('deleteOidcRegisterByClientId', 'Its own token', own);
}

async function callSettings(caller: Caller): Promise<void> {
  const headers = { 'X-Sandbox': 'learning' };
  const users = [{ username: 'mary', password: 'of-somerville', claims: { tenant: 't1' } }];
  await caller.call('putSandboxOidc', 'A user with a claim, and short lifetimes', {
    headers,
    json: { users, lifetimes: { access: 60 } },
  });
  await caller.call('putSandboxOidc', 'Your own API', {
    headers,
    json: { scopes: ['api.read'], resources: ['https://my-api.example'] },
  });
  await caller.call('getSandboxOidc', 'The settings', { headers });
  const json = { misbehave: 'wrong-everything' };
  await caller.call('putSandboxOidc', 'An unknown misbehaviour', { headers, json });
}
