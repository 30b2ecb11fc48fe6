/** Responses of a service that requires accounts, with and without a key. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { newAccountId, newAccountKey } from '../../src/accounts/account-key.js';
import { configFrom } from '../../src/config/config.js';
import { writeRoute } from '../../src/http/address/route-path.js';
import { methodsOf } from '../../src/kit/endpoint.js';
import { areas, settings } from '../../src/service.js';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { endpointsOfAreas } from '../support/services.js';

const service = useService({ accounts: 'required', signUpsPerHour: 1000 });
const { send } = service;
const challenge = 'ServiceKey realm="Practice API"';

/** Every route of every area, as the areas register them. */
async function listRoutes() {
  const routes: { area: string; method: string; url: string }[] = [];
  const config = configFrom(settings, {});
  for (const { area, endpoint } of await endpointsOfAreas(config)) {
    const { path: url } = endpoint;
    for (const method of methodsOf(endpoint)) routes.push({ area, method, url });
  }
  return routes;
}

/** Everything that is allowed without a key; any other route, also a future one, requires a key. */
const openAreas = ['methods', 'pictures', 'accounts', 'tls'];
const openPaths = [
  ...['/api/webhooks/:binId', '/api/webhooks/:binId/*'],
  // Pages for the buyer, whose address has the secret of the payment.
  ...['/payments/authenticate/:key', '/payments/checkout/:key'],
];
/** Pupils have addresses, and teachers keys; only a new class needs an account. */
const isInClass = (url: string) => url.startsWith('/api/classes/');

const routes = await listRoutes();
const closed = routes.filter(
  ({ area, method, url }) =>
    // The sender of a CONNECT cannot name a path.
    method !== 'CONNECT' &&
    !openAreas.includes(area) &&
    !openPaths.includes(url) &&
    !isInClass(url),
);
const addressOf = (url: string) => writeRoute(url, () => '1').replace('*', 'w/x/y/z');

test('the routes of every area were found', () => {
  expect(new Set(routes.map(({ area }) => area))).toEqual(new Set(areas.map(({ name }) => name)));
  expect(closed.length).toBeGreaterThan(80);
});

test.each(closed)('$method $url requires a key', async ({ method, url }) => {
  const { status, headers } = await send(`${method} ${addressOf(url)}`);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toBe(challenge);
});

describe('without a key a client may', () => {
  test.each([
    ['echo a request', 'POST /api/methods/post', 200],
    ['sign up', 'POST /api/accounts', 201],
    ['get an image', 'GET /images/products/1.svg', 200],
    ['list the endpoints', 'GET /', 200],
    ['request the health', 'GET /health/ready', 200],
    ['open the inspector', 'GET /bins', 200],
    ['get a 404', 'GET /api/nothing', 404],
    ['learn the methods of a path', 'POST /api/Events/count', 405],
    ['get a 404 for a bin', `POST /api/webhooks/${'x'.repeat(22)}`, 404],
  ])('%s', async (_case, target, status) => {
    const response = await send(target);
    expect(response.status).toBe(status);
  });

  test('open the GraphQL editor, but not query data', async () => {
    const headers = { Accept: 'text/html,*/*;q=0.8' };
    const page = await send('GET /graphql', { headers });
    expect(page.headers['content-type']).toContain('text/html');
    expect((await send('HEAD /graphql', { headers })).status).toBe(200);
    expect((await send('GET /graphql?query={__typename}', { headers })).status).toBe(401);
    expect((await send('GET /graphql?sdl', { headers })).status).toBe(401);
    expect((await send('GET /graphql')).status).toBe(401);
  });

  test('send a preflight from any page', async () => {
    const { status, headers } = await send('OPTIONS /api/Events', {
      headers: {
        Origin: 'https://example.com',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-service-key',
      },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toBe('x-service-key');
  });

  test('have a delivery captured in the bin of an account', async () => {
    const account = await signUp(service);
    const { json: bin } = await account.inSandbox('mine')('POST /api/webhooks/bins');
    const { status } = await send(`PUT /api/webhooks/${bin.id}/below`, { body: 'hello' });
    expect(status).toBe(200);
    const captures = `GET /api/webhooks/bins/${bin.id}/requests`;
    expect((await account.send(captures)).json[0]).toMatchObject({ method: 'PUT', body: 'hello' });
    expect((await send(captures)).status).toBe(401);
    expect((await (await signUp(service)).send(captures)).status).toBe(404);
  });
});

describe('a key', () => {
  test('that is missing is requested, with the way to get one', async () => {
    const { status, json } = await send('GET /api/Events');
    expect(status).toBe(401);
    expect(json.message).toMatch(/X-Service-Key.*POST \/api\/accounts.*\/account/);
  });

  test.each([
    ['empty', ''],
    ['another word', 'hello'],
    ['cut short', newAccountKey(newAccountId()).slice(0, -1)],
    ['in capitals', newAccountKey(newAccountId()).toUpperCase()],
    ['huge', 'x'.repeat(8000)],
    ['named like a prototype', '__proto__'],
    ['beyond ASCII', '\u00e9'.repeat(101)],
  ])('that is %s is reported as malformed', async (_case, key) => {
    const { status, headers, json } = await send('GET /api/Events', {
      headers: { 'X-Service-Key': key },
    });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(challenge);
    expect(json.message).toContain('is malformed or incomplete');
    expect(json.message.length).toBeLessThan(400);
  });

  test('that is well formed but unknown is rejected', async () => {
    const account = await signUp(service);
    for (const key of [newAccountKey(newAccountId()), newAccountKey(account.id)]) {
      const { status, json } = await send('GET /api/Events', { headers: { 'X-Service-Key': key } });
      expect(status).toBe(401);
      expect(json.message).toContain('The key in X-Service-Key is invalid');
      expect(json.message).not.toContain(key);
    }
  });

  test('that is sent twice is rejected even when both are right', async () => {
    const { key } = await signUp(service);
    for (const target of ['GET /api/Events', 'GET /api/accounts/me']) {
      const { status, json } = await send(target, {
        headers: [
          ['X-Service-Key', key],
          ['x-service-key', key],
        ],
      });
      expect(status).toBe(400);
      expect(json.message).toContain('X-Service-Key was sent 2 times');
    }
  });

  test('is accepted in the header only', async () => {
    const { key } = await signUp(service);
    const headers = { Authorization: `Bearer ${key}`, Cookie: `X-Service-Key=${key}` };
    const target = `GET /api/Events?X-Service-Key=${key}&service_key=${key}`;
    expect((await send(target, { headers })).status).toBe(401);
  });
});

describe('a request without a key', () => {
  test('is rejected before its body has arrived', async () => {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const head = ['POST /graphql HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json'];
    socket.write([...head, 'Content-Length: 1000', '', ''].join('\r\n'));
    const response = await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect(String(response)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('gets no fault simulated', async () => {
    const { status, headers } = await send('GET /api/Events?error=503&delay=10');
    expect(status).toBe(401);
    expect(headers).not.toHaveProperty('x-simulated');
  });

  test('is rejected in the shape of REST by GraphQL and SOAP as well', async () => {
    const query = { json: { query: '{ __typename }' } };
    for (const [target, options] of [
      ['POST /graphql', query],
      ['POST /api/soap/calculator', { body: '<x/>', headers: { 'Content-Type': 'text/xml' } }],
    ] as const) {
      const { status, headers, json } = await send(target, options);
      expect(status).toBe(401);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(json).toMatchObject({ status: 401, error: 'Unauthorized' });
    }
  });

  test('with a malformed sandbox name is 400, as everywhere', async () => {
    const { status } = await send('GET /api/Events', { headers: { 'X-Sandbox': '@1/x' } });
    expect(status).toBe(400);
  });
});
