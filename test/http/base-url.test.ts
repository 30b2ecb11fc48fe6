import { expect, test } from 'vitest';
import { createService, type ServiceOptions } from '../../src/index.js';
import { send } from '../support/service.js';

/** The address that the first link of the index begins with. */
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

test.each([
  ['the address it came to', {}, {}, 'own address'],
  ['the Host that was sent', {}, { host: 'pet.example:81' }, 'http://pet.example:81'],
  ['never what an unknown proxy says', {}, forwarded, 'own address'],
  ['what a trusted proxy says', { trustProxy: true }, forwarded, 'https://api.example.com'],
  [
    'what a proxy at a trusted address says',
    { trustProxy: ['127.0.0.1'] },
    forwarded,
    'https://api.example.com',
  ],
  ['not what a proxy elsewhere says', { trustProxy: ['10.0.0.0/8'] }, forwarded, 'own address'],
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
  ['a scheme that is not of the web', 'X-Forwarded-Proto', 'javascript'],
])('a proxy that names %s is refused', async (_what, name, value) => {
  const service = await createService({ trustProxy: true });
  try {
    const { status, json } = await send(service.url, 'GET /', { headers: { [name]: value } });
    expect(status).toBe(400);
    expect(json.message).toContain(name);
  } finally {
    await service.close();
  }
});
