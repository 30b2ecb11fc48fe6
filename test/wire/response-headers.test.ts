import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

describe('the request id', () => {
  test('is the id that the caller sent', async () => {
    const headers = { 'X-Request-Id': 'my-id_1:2.3' };
    expect((await send('GET /api/methods/get', { headers })).headers['x-request-id']).toBe(
      'my-id_1:2.3',
    );
    expect((await send('GET /nowhere', { headers })).headers['x-request-id']).toBe('my-id_1:2.3');
    expect((await send('GET /%', { headers })).headers['x-request-id']).toBe('my-id_1:2.3');
  });

  test.each([
    ['none', {}],
    ['an empty id', { 'x-request-id': '' }],
    ['an id with spaces', { 'x-request-id': 'a b' }],
    ['an id with markup', { 'x-request-id': '<b>' }],
    ['an id that is too long', { 'x-request-id': 'a'.repeat(65) }],
    ['an id with a tilde', { 'x-request-id': 'a~b' }],
    ['an address that is a key', { 'x-request-id': `/s/~${'A'.repeat(22)}` }],
    ['a key', { 'x-request-id': `ptk_${'A'.repeat(32)}` }],
  ])('is new when the caller sent %s', async (_name, headers) => {
    const first = await send('GET /api/methods/get', { headers: { ...headers } });
    const second = await send('GET /api/methods/get', { headers: { ...headers } });
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});

describe('CORS', () => {
  test.each([
    ['a success', 'GET /api/methods/get'],
    ['a failure', 'GET /nowhere'],
    ['a malformed path', 'GET /%'],
    ['a request without a target', 'GET *'],
  ])('lets pages of every origin read every header of %s', async (_what, target) => {
    const { headers } = await send(target, { headers: { origin: 'https://a.b' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']).toBe('*');
  });

  test.each([
    ['a request that is not HTTP', 'nonsense\r\n\r\n'],
    [
      'an unknown expectation',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
    ],
  ])('lets them read every header of the response to %s', async (_what, bytes) => {
    const { head } = await rawExchange(service.url, bytes);
    expect(head).toMatch(/^access-control-expose-headers: \*$/im);
  });

  test.each([
    '/api/methods/get',
    '/api/methods/options',
    '/api/methods/any',
    '/health',
    '/nowhere',
  ])('responds to a preflight at %s', async (path) => {
    const { status, headers } = await send(`OPTIONS ${path}`, {
      headers: {
        origin: 'https://a.b',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, x-sandbox',
      },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']),
    );
    expect(headers['access-control-allow-headers']).toBe('authorization, x-sandbox');
    expect(headers['access-control-max-age']).toBe('7200');
    expect(headers.vary).toBe('Access-Control-Request-Headers');
  });

  test('treats OPTIONS without a preflight like any other method', async () => {
    expect((await send('OPTIONS /api/methods/options')).status).toBe(200);
    expect((await send('OPTIONS /api/methods/get')).status).toBe(405);
  });
});

describe('GET resources outside the method endpoints', () => {
  test.each(['/', '/health', '/health/ready'])(
    '%s supports HEAD, and Allow lists it',
    async (path) => {
      const get = await send(`GET ${path}`);
      const head = await send(`HEAD ${path}`);
      expect(head.status).toBe(200);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect((await send(`POST ${path}`)).headers.allow).toBe('GET, HEAD');
    },
  );
});

test('/health and /health/ready report success', async () => {
  expect((await send('GET /health')).json).toEqual({ status: 'ok' });
  expect((await send('GET /health/ready')).json).toEqual({ status: 'ok' });
});

describe('a response to CONNECT', () => {
  const ask = (path: string) =>
    rawExchange(service.url, `CONNECT ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);

  test('has no length when it is a success, and ends with the connection', async () => {
    const { status, head, body } = await ask('/api/methods/any');
    expect(status).toBe(200);
    expect(head).not.toMatch(/^(content-length|transfer-encoding):/im);
    expect(JSON.parse(body).method).toBe('CONNECT');
  });

  test('has a length when it is an error', async () => {
    const { status, head, body } = await ask('/api/methods/get');
    expect(status).toBe(405);
    expect(head).toMatch(new RegExp(`^content-length: ${body.length}$`, 'im'));
  });
});

test.each(['/openapi.json', '/', '/api/Books/1', '/api/Events/1', '/bins'])(
  'the 304 to a HEAD of %s has no length, like the 304 to GET',
  async (path) => {
    const accept = path === '/' || path === '/bins' ? 'text/html' : '*/*';
    const { headers: got } = await send(`HEAD ${path}`, { headers: { accept } });
    expect(got.etag).toBeTruthy();
    const headers = { accept, 'if-none-match': got.etag ?? '' };
    for (const method of ['GET', 'HEAD']) {
      const response = await send(`${method} ${path}`, { headers });
      expect(response.status).toBe(304);
      expect(response.headers, method).not.toHaveProperty('content-length');
      expect(response.headers.etag).toBe(got.etag);
    }
  },
);
