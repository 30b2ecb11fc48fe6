/** Deliveries of events of the OpenID issuer. */

import { expect, test } from 'vitest';
import { asWeb, cookiesOf, fieldsOf, issuerAt, responseIn, usualRequest } from '../support/oidc.js';
import { useService } from '../support/service.js';
import { hooksOf } from './hooks.js';

const service = useService();
let names = 0;

/** A subscription to everything, and the issuer of the same sandbox. */
async function begin() {
  const name = `issuer-events-${names++}`;
  const hooks = hooksOf(service, name);
  const { id } = await hooks.subscribe();
  return {
    issuer: issuerAt(service, `/s/${name}`),
    logOut: (query: string, cookie: string) =>
      service.send(`GET /s/${name}/oidc/logout?${query}`, { headers: { cookie } }),
    /** Delivers all that is due, and returns it: the types, the objects, and the text of all requests. */
    async deliver() {
      const events: { readonly type: string; readonly data: object }[] = [];
      let text = '';
      for (let due = await hooks.due(id); due.length > 0; due = await hooks.due(id)) {
        for (const delivery of due) {
          expect(delivery.event.source).toBe('issuer');
          text += JSON.stringify(delivery);
          const { type, data } = JSON.parse(delivery.request.body);
          events.push({ type, data });
          await hooks.report(id, delivery, 204);
        }
      }
      return { events, text };
    },
  };
}

test('a registered client', async () => {
  const { issuer, deliver } = await begin();
  const { json } = await issuer.register({ redirect_uris: ['http://localhost:8080/callback'] });
  const { events, text } = await deliver();
  const data = { id: json.client_id, client_id: json.client_id };
  expect(events).toEqual([{ type: 'client.registered', data }]);
  expect(text).not.toContain(json.client_secret);
});

test('a login with a wrong password, and with the right one', async () => {
  const { issuer, deliver } = await begin();
  const page = await issuer.authorize(usualRequest());
  const typed = { ...fieldsOf(page), username: 'ada', password: 'typed by mistake' };
  const again = await issuer.post('login', typed, { cookie: cookiesOf(page) });
  expect(again.text).toContain('The user name or the password is wrong.');
  await issuer.throughPages(page);
  const { events, text } = await deliver();
  expect(events).toEqual([
    { type: 'login.failed', data: { id: 'ada', reason: 'password' } },
    { type: 'login.succeeded', data: { id: 'ada', amr: ['pwd'], sid: expect.any(String) } },
  ]);
  expect(text).not.toMatch(/typed by mistake|ada-secret/);
});

test('a login with a wrong code; of a long user name, the beginning', async () => {
  const { issuer, deliver } = await begin();
  const page = await issuer.authorize(usualRequest());
  const cookie = cookiesOf(page);
  const login = { ...fieldsOf(page), username: 'alan', password: 'alan-secret' };
  const asked = await issuer.post('login', login, { cookie });
  await issuer.post('login', { ...fieldsOf(asked), code: '000000x' }, { cookie });
  const long = { ...fieldsOf(page), username: 'x'.repeat(5000), password: 'x' };
  await issuer.post('login', long, { cookie });
  const { events } = await deliver();
  expect(events.map(({ data }) => data)).toEqual([
    { id: 'alan', reason: 'code' },
    { id: 'x'.repeat(100), reason: 'password' },
  ]);
});

test('revoked tokens; a token that is unknown or of another client is no event', async () => {
  const { issuer, deliver } = await begin();
  const code = await issuer.code({ scope: 'openid profile offline_access' });
  const { access_token: access, refresh_token: refresh } = (await issuer.redeem(code)).json;
  await deliver();
  await issuer.post('revoke', { token: 'unknown' }, asWeb);
  for (const token of [access, refresh]) {
    expect((await issuer.post('revoke', { token }, asWeb)).status).toBe(200);
  }
  const { events, text } = await deliver();
  const data = { id: 'demo-web', client_id: 'demo-web' };
  expect(events).toEqual([
    { type: 'token.revoked', data: { ...data, token_type: 'access_token' } },
    { type: 'token.revoked', data: { ...data, token_type: 'refresh_token' } },
  ]);
  for (const token of [access, refresh]) expect(text).not.toContain(token);
});

test('a session that ends; a logout without a session, or not confirmed, is no event', async () => {
  const { issuer, logOut, deliver } = await begin();
  const begun = await issuer.authorize(usualRequest({ auto: 'ada' }));
  const cookie = cookiesOf(begun);
  const { json } = await issuer.redeem(responseIn(begun).get('code') ?? '');
  const [login] = (await deliver()).events;
  await logOut('', cookie);
  await logOut('', '');
  expect((await deliver()).events).toEqual([]);
  await logOut(`id_token_hint=${json.id_token}`, cookie);
  await logOut(`id_token_hint=${json.id_token}`, cookie);
  const { events, text } = await deliver();
  const { sid } = (login as unknown as { readonly data: { readonly sid: string } }).data;
  expect(events).toEqual([{ type: 'session.ended', data: { id: 'ada', sid } }]);
  expect(text).not.toContain(json.id_token);
});
