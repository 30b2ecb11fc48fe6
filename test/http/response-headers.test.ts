import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

describe('the request id', () => {
  test('is the one that the caller sent', async () => {
    const headers = { 'X-Request-Id': 'my-id_1:2.3' };
    expect((await send('GET /api/methods/get', { headers })).headers['x-request-id']).toBe(
      'my-id_1:2.3',
    );
    expect((await send('GET /nowhere', { headers })).headers['x-request-id']).toBe('my-id_1:2.3');
    expect((await send('GET /%', { headers })).headers['x-request-id']).toBe('my-id_1:2.3');
  });

  test.each([
    ['none', {}],
    ['an empty one', { 'x-request-id': '' }],
    ['one with spaces', { 'x-request-id': 'a b' }],
    ['one with markup', { 'x-request-id': '<b>' }],
    ['one too long', { 'x-request-id': 'a'.repeat(129) }],
  ])('is a new one when the caller sent %s', async (_name, headers) => {
    const first = await send('GET /api/methods/get', { headers: { ...headers } });
    const second = await send('GET /api/methods/get', { headers: { ...headers } });
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});

describe('CORS', () => {
  test('opens every answer to every origin and names the headers a page may read', async () => {
    const { headers } = await send('GET /api/methods/get', { headers: { origin: 'https://a.b' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    const exposed = headers['access-control-expose-headers']?.split(', ');
    for (const name of ['X-Total-Count', 'Link', 'Retry-After', 'WWW-Authenticate', 'ETag']) {
      expect(exposed).toContain(name);
    }
  });

  test.each([
    '/api/methods/get',
    '/api/methods/options',
    '/api/methods/any',
    '/health',
    '/nowhere',
  ])('answers a preflight at %s', async (path) => {
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

  test('leaves a plain OPTIONS a verb like any other', async () => {
    expect((await send('OPTIONS /api/methods/options')).status).toBe(200);
    expect((await send('OPTIONS /api/methods/get')).status).toBe(405);
  });
});

describe('GET resources outside the method endpoints', () => {
  test.each(['/', '/health', '/health/ready'])(
    '%s answers HEAD, and Allow lists it',
    async (path) => {
      const get = await send(`GET ${path}`);
      const head = await send(`HEAD ${path}`);
      expect(head.status).toBe(200);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect((await send(`POST ${path}`)).headers.allow).toBe('GET, HEAD');
    },
  );
});

test('/health and /health/ready say that all is well', async () => {
  expect((await send('GET /health')).json).toEqual({ status: 'ok' });
  expect((await send('GET /health/ready')).json).toEqual({ status: 'ok' });
});
