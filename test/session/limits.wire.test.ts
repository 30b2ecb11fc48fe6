/** Behaviour that does not depend on the store: attributes over TLS, and the limit of sessions. */

import { expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { useService } from '../support/service.js';

const service = useService();
const path = '/api/auth/session';

test('over TLS the cookie has the prefix __Host-, and __Secure- in the URL of a sandbox', async () => {
  const tls = { baseUrl: 'https://api.example' };
  const secure = await createService(tls);
  try {
    const login = (prefix: string) =>
      fetch(`${secure.url}${prefix}${path}/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username: 'ada', password: 'ada-secret' }),
      });
    const attributes = 'Secure; HttpOnly; SameSite=Lax';
    const [root = ''] = (await login('')).headers.getSetCookie();
    expect(root).toMatch(new RegExp(`^__Host-session=[\\w-]{43}; Path=/; ${attributes}$`));
    const [own = ''] = (await login('/s/a')).headers.getSetCookie();
    expect(own).toMatch(
      new RegExp(`^__Secure-session=[\\w-]{43}; Path=/s/a${path}; ${attributes}$`),
    );
  } finally {
    await secure.close();
  }
});

test('a thousand logins fill the limit of sessions, and the oldest are dropped', async () => {
  const sent = { json: { username: 'ada', password: 'ada-secret' } };
  const logIn = async () => {
    const { headers } = await service.send(`POST /s/bounds${path}/login`, sent);
    return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  };
  const first = await logIn();
  const logins = async (times: number) => {
    for (let login = 0; login < times; login += 1) await logIn();
  };
  await Promise.all([logins(250), logins(250), logins(250), logins(250)]);
  const me = await service.send(`GET /s/bounds${path}/me`, { headers: { Cookie: first } });
  expect(me.status).toBe(401);
});
