import DigestFetch from 'digest-fetch';
import { request } from 'urllib';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
let user: { username: string; password: string };
beforeAll(async () => {
  user = (await demoCredentials(service)).digest;
});

describe('digest-fetch', () => {
  test.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess', 'SHA-512-256', 'SHA-512-256-sess'])(
    'authenticates with %s, and reuses its nonce',
    async (algorithm) => {
      const client = new DigestFetch(user.username, user.password, { algorithm });
      for (let times = 0; times < 3; times++) {
        const response = await client.fetch(
          `${service.url}/api/auth/digest?algorithm=${algorithm}`,
        );
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({
          algorithm,
          qop: 'auth',
          user: user.username,
        });
      }
    },
  );

  test('authenticates without a qop', async () => {
    const client = new DigestFetch(user.username, user.password);
    const response = await client.fetch(`${service.url}/api/auth/digest?qop=none`);
    expect(await response.json()).toMatchObject({ qop: 'none' });
  });

  test('is rejected with a wrong password', async () => {
    const client = new DigestFetch(user.username, 'x');
    expect((await client.fetch(`${service.url}/api/auth/digest`)).status).toBe(401);
  });

  test('also authenticates with Basic', async () => {
    const { basic } = await demoCredentials(service);
    const client = new DigestFetch(basic.username, basic.password, { basic: true });
    expect((await client.fetch(`${service.url}/api/auth/basic`)).status).toBe(200);
  });
});

describe('urllib', () => {
  test.each(['', '?qop=auth,auth-int', '?qop=none', '?algorithm=MD5&x=%20y'])(
    'responds to the challenge of /digest%s',
    async (query) => {
      const { status, data } = await request(`${service.url}/api/auth/digest${query}`, {
        digestAuth: `${user.username}:${user.password}`,
        dataType: 'json',
      });
      expect(status).toBe(200);
      expect(data).toMatchObject({ authenticated: true, scheme: 'digest' });
    },
  );

  test('is rejected with a wrong password', async () => {
    const { status } = await request(`${service.url}/api/auth/digest`, {
      digestAuth: `${user.username}:x`,
    });
    expect(status).toBe(401);
  });
});
