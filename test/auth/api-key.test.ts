import { beforeAll, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await demoCredentials(service));
});

type Sent = [path: string, options: SendOptions];

/** Ways to send one key or several to each of the endpoints. */
const places = [
  {
    name: 'header',
    location: 'X-API-Key header',
    send: (...keys: string[]): Sent => [
      '/api/auth/api-key/header',
      { headers: keys.map((key) => ['X-API-Key', key] as const) },
    ],
  },
  {
    name: 'query',
    location: 'api_key query parameter',
    send: (...keys: string[]): Sent => [
      `/api/auth/api-key/query?${keys.map((key) => `api_key=${encodeURIComponent(key)}`).join('&')}`,
      {},
    ],
  },
  {
    name: 'cookie',
    location: 'api_key cookie',
    send: (...keys: string[]): Sent => [
      '/api/auth/api-key/cookie',
      { headers: { Cookie: ['a=1', ...keys.map((key) => `api_key=${key}`)].join('; ') } },
    ],
  },
];

function get([path, options]: Sent) {
  return service.send(`GET ${path}`, options);
}

test.each(places)('$name: accepts the right key', async ({ location, send }) => {
  const { status, json } = await get(send(apiKey));
  expect(status).toBe(200);
  expect(json).toEqual({ authenticated: true, scheme: 'api-key', location });
});

test.each(places)('$name: rejects a wrong key as invalid', async ({ send }) => {
  for (const key of ['x', `${apiKey}x`, apiKey.slice(1), apiKey.toUpperCase(), '__proto__']) {
    const { status, headers, json } = await get(send(key));
    expect(status).toBe(401);
    expect(json.message).toBe('Invalid API key.');
    expect(headers['www-authenticate']).toBe('ApiKey realm="Practice API"');
  }
});

test.each(places)(
  '$name: rejects a missing and an empty key with different messages, which say where to send it',
  async ({ send }) => {
    for (const sent of [send(), send('')]) {
      const { status, json } = await get(sent);
      expect(status).toBe(401);
      expect(json.message).toMatch(/^The API key is missing\. Send it /);
    }
  },
);

test.each(places)('$name: rejects two keys as ambiguous, even equal ones', async ({ send }) => {
  expect((await get(send(apiKey, apiKey))).status).toBe(400);
  expect((await get(send('x', apiKey))).status).toBe(400);
});

test.each(places)('$name: ignores a key anywhere else', async ({ name, send }) => {
  const path = send()[0].replace(/\?.*/, '');
  for (const other of places.filter((place) => place.name !== name)) {
    const [otherPath, options] = other.send(apiKey);
    const query = otherPath.split('?')[1];
    expect((await get([query ? `${path}?${query}` : path, options])).status).toBe(401);
  }
});
