/** Uses a state that responds later, like a shared one; test/accounts has the rest. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccountId, newAccountKey } from '#accounts/account-key.js';
import { Accounts } from '#accounts/accounts.js';
import { configFrom } from '#config/config.js';
import { settings } from '#config/settings.js';
import type { Request } from '#http/exchange.js';
import type { Area } from '#kit/area.js';
import { endpoint } from '#kit/endpoint.js';
import { Offers } from '#kit/offers/offers.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { StateUnavailableError } from '#state/state.js';
import { type Listener, listen } from '#wire/servers/listen.js';
import { respondingLater } from '../../test/support/responding-later.js';
import { type HttpResponse, send } from '../../test/support/service.js';
import { servicesOver } from '../../test/support/services.js';
import { createApp } from './create-app.js';
import { createLog } from './request-log.js';
import { wireService } from './wire-service.js';

async function readSandbox({ sandbox }: Request) {
  return { sandbox: sandbox.name };
}

/** Responds with the internal names of sandboxes, which no real area shows. */
const testArea: Area = {
  name: 'test',
  title: 'Test',
  front: {
    start: '/test',
  },
  summary: 'A test.',
  endpoints: () => [
    endpoint('GET', '/test', { summary: 'Test', handle: readSandbox }),
    endpoint('GET', '/test/open', { summary: 'Test', isOpen: true, handle: async () => ({}) }),
    endpoint('GET', '/test/mistaken', { summary: 'Test', isOpen: true, handle: readSandbox }),
  ],
};

const config = configFrom(settings, { accounts: 'required', accountQuota: 2 });
const state = respondingLater(createMemoryState({ clock: Date.now }));
const accounts = new Accounts(state, config);
let isBroken = false;
const breakable = Object.assign(Object.create(accounts) as Accounts, {
  admit: (key: Parameters<Accounts['admit']>[0]) =>
    isBroken ? Promise.reject(new StateUnavailableError()) : accounts.admit(key),
});
let listener: Listener;
let close: () => Promise<void>;
let get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<HttpResponse>;

beforeAll(async () => {
  const usual = await servicesOver(state, config);
  const services = { ...usual, limits: { ...usual.limits, accounts: breakable } };
  const offers = new Offers([testArea], services);
  const routes = { areas: [testArea], infrastructure: [], offers };
  const app = await createApp(config, routes, services, createLog('silent'));
  const service = wireService(offers, app, createLog('silent'));
  listener = await listen({ host: config.host, port: 0, service });
  get = (path, headers = {}) =>
    send(`http://127.0.0.1:${listener.port}`, `GET ${path}`, { headers });
  close = () => listener.close();
});
afterAll(() => close());

async function newKey() {
  const { account, key } = await accounts.create(null);
  return { id: account.id, key: { 'X-Service-Key': key } };
}

describe('where an account is required', () => {
  test('its key is accepted, with its own sandboxes', async () => {
    const { id, key } = await newKey();
    expect((await get('/test', key)).json).toEqual({ sandbox: `@${id}/` });
    const named = { ...key, 'X-Sandbox': 'mine' };
    expect((await get('/test', named)).json).toEqual({ sandbox: `@${id}/mine` });
  });

  test('a missing and an unknown key are rejected', async () => {
    expect((await get('/test')).status).toBe(401);
    const unknown = { 'X-Service-Key': newAccountKey(newAccountId()) };
    expect((await get('/test', unknown)).status).toBe(401);
  });

  test('the quota holds for simultaneous requests', async () => {
    const { key } = await newKey();
    const responses = await Promise.all(Array.from({ length: 6 }, () => get('/test', key)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
  });

  test('all requests are rejected while the accounts cannot be read', async () => {
    const { key } = await newKey();
    isBroken = true;
    try {
      expect((await get('/test', key)).status).toBeGreaterThanOrEqual(500);
      expect((await get('/test/open')).status).toBe(200);
    } finally {
      isBroken = false;
    }
  });

  test('an open route that uses state fails rather than sharing it among strangers', async () => {
    expect((await get('/test/mistaken')).status).toBe(500);
    const { key } = await newKey();
    expect((await get('/test/mistaken', { ...key, 'X-Sandbox': 'mine' })).status).toBe(500);
  });
});
