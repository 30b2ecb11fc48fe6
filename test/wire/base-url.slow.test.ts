import { expect, test } from 'vitest';
import { createService, type ServiceOptions } from '../../src/index.js';
import { send } from '../support/service.js';

/** The base URL of the first link of the index. */
async function linkOf(options: ServiceOptions, headers: Record<string, string>): Promise<string> {
  const service = await createService(options);
  try {
    const { json } = await send(service.url, 'GET /', { headers });
    const { start } = json.areas.find(({ name }: { name: string }) => name === 'methods');
    return start.replace(/\/api\/.*/, '').replace(service.url, 'own address');
  } finally {
    await service.close();
  }
}

const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.com' };

/** A caller at 203.0.113.9, a proxy with TLS at 10.0.0.1, and a proxy in front of the service. */
const chain = {
  'X-Forwarded-For': '203.0.113.9, 10.0.0.1',
  'X-Forwarded-Proto': 'https, http',
  'X-Forwarded-Host': 'api.example.com, inner.example:8080',
};

test.each([
  ['the URL of the request', {}, {}, 'own address'],
  ['the Host that was sent', {}, { host: 'pet.example:81' }, 'http://pet.example:81'],
  ['the Host in lower case', {}, { host: 'PET.example:81' }, 'http://pet.example:81'],
  ['no default port of HTTP', {}, { host: 'pet.example:80' }, 'http://pet.example'],
  ['no empty port', {}, { host: 'pet.example:' }, 'http://pet.example'],
  ['nothing that an unknown proxy forwards', {}, forwarded, 'own address'],
  [
    'no default port of HTTPS',
    { trustProxy: true },
    { 'X-Forwarded-Proto': 'HTTPS', 'X-Forwarded-Host': 'API.example.com:443' },
    'https://api.example.com',
  ],
  [
    'the value of the first of several trusted proxies',
    { trustProxy: true },
    chain,
    'https://api.example.com',
  ],
  [
    'the value of the last proxy when only it is trusted',
    { trustProxy: ['127.0.0.1'] },
    chain,
    'http://inner.example:8080',
  ],
  [
    "the value of the proxy that forwards the client's address",
    { trustProxy: ['127.0.0.1', '10.0.0.0/8'] },
    { ...chain, 'X-Forwarded-For': '198.51.100.66, 203.0.113.9, 10.0.0.1' },
    'https://api.example.com',
  ],
  [
    'the value of one proxy for all',
    { trustProxy: true },
    { ...chain, 'X-Forwarded-Proto': 'https' },
    'https://api.example.com',
  ],
  ['the value of a trusted proxy', { trustProxy: true }, forwarded, 'https://api.example.com'],
  [
    'the value of a proxy at a trusted address',
    { trustProxy: ['127.0.0.1'] },
    forwarded,
    'https://api.example.com',
  ],
  [
    'nothing that an untrusted proxy forwards',
    { trustProxy: ['10.0.0.0/8'] },
    forwarded,
    'own address',
  ],
  [
    'the base URL when one is set',
    { baseUrl: 'https://x.test/base/' },
    forwarded,
    'https://x.test/base',
  ],
] as const)('links begin with %s', async (_name, options, headers, expected) => {
  expect(await linkOf(options, headers)).toBe(expected);
});

test.each([
  ['a host with markup', 'X-Forwarded-Host', 'a"><script>'],
  ['a scheme other than http and https', 'X-Forwarded-Proto', 'javascript'],
])('a proxy that forwards %s is rejected', async (_what, name, value) => {
  const service = await createService({ trustProxy: true });
  try {
    const { status, json } = await send(service.url, 'GET /', { headers: { [name]: value } });
    expect(status).toBe(400);
    expect(json.message).toContain(name);
  } finally {
    await service.close();
  }
});

test.each([
  [true, '203.0.113.9'],
  [['127.0.0.1'], '10.0.0.1'],
  [['127.0.0.1', '10.0.0.0/8'], '203.0.113.9'],
  [['192.0.2.1'], '127.0.0.1'],
])('with the proxies %j trusted, the client is at %s', async (trustProxy, expected) => {
  const service = await createService({ trustProxy });
  try {
    const { json } = await send(service.url, 'GET /api/methods/any', { headers: chain });
    expect(json.ip).toBe(expected);
  } finally {
    await service.close();
  }
});

test.each([
  ['a port above 65535', 'example.com:65536'],
  ['an empty label', 'example..com'],
  ['a label that is missing', '.example.com'],
  ['an invalid IP address', '[:::1]'],
  ['a user', 'user@example.com'],
])('%s in the Host is rejected, and in the target as well', async (_what, host) => {
  const service = await createService();
  try {
    for (const [target, header] of [
      ['/health', host],
      [`http://${host}/health`, 'a'],
    ] as const) {
      const { status, json } = await send(service.url, `GET ${target}`, {
        headers: { Host: header },
      });
      expect([status, json.message]).toEqual([400, expect.stringContaining('up to 65535')]);
    }
  } finally {
    await service.close();
  }
});

test('a token issued for one spelling of the host is accepted at every other', async () => {
  const service = await createService();
  try {
    const { json: index } = await send(service.url, 'GET /api/auth');
    const [{ username, password }] = index.credentials.jwt;
    const login = await send(service.url, 'POST /api/auth/jwt/login', {
      headers: { Host: 'Api.Example.com' },
      json: { username, password },
    });
    for (const Host of ['api.example.com', 'API.EXAMPLE.COM:80', 'api.example.com:']) {
      const Authorization = `Bearer ${login.json.accessToken}`;
      const me = await send(service.url, 'GET /api/auth/jwt/me', {
        headers: { Host, Authorization },
      });
      expect(me.status, Host).toBe(200);
    }
  } finally {
    await service.close();
  }
});
