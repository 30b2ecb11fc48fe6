/** Findings of visits belong to accounts, by key or address, and to pupils of a class, by their address. */

import { expect, test } from 'vitest';
import { newClass } from '../classes/school.js';
import { signUp } from '../support/accounts.js';
import type { Send } from '../support/isolation-cases.js';
import { useService } from '../support/service.js';
import { meet } from './lab-client.js';

const open = useService({ http2LabPort: 0 });
const quota = 200;
const strict = useService({ http2LabPort: 0, accounts: 'required', accountQuota: quota });

const rule = 'data-on-stream-0';
/** Each reading counts towards the quota. */
const slowly = { interval: 300 };

/** Meets a case below a path of the lab, and returns the status of the response. */
async function visit(
  send: Send,
  path: string,
  { headers = {}, name = rule }: { headers?: Record<string, string>; name?: string } = {},
): Promise<string | undefined> {
  const [{ url }] = (await send('GET /api/http2/plan')).json;
  const { frames } = await meet(new URL(`${path}/${name}`, url).href, { headers }, 'naive');
  const heads = frames.map(({ payload }) => payload.toString('latin1')).join('');
  return /:status.(\d{3})/.exec(heads)?.[1];
}

const found = async (send: Send) =>
  (await send('GET /api/http2/findings')).json.findings.map((each: { rule: string }) => each.rule);

test('where accounts are required, a sandbox needs the key of an account, and no other account has its findings', async () => {
  const [one, other] = [await signUp(strict), await signUp(strict)];
  expect(await visit(one.send, '/s/mine')).toBe('404');
  const wrong = { 'x-service-key': `${one.key.slice(0, -1)}x` };
  expect(await visit(one.send, '/s/mine', { headers: wrong })).toBe('404');
  expect(await found(one.inSandbox('mine'))).toEqual([]);
  const headers = { 'x-service-key': one.key };
  expect(await visit(one.send, '/s/mine', { headers })).toBe('200');
  await expect.poll(() => found(one.inSandbox('mine')), slowly).toEqual([rule]);
  expect(await found(other.inSandbox('mine'))).toEqual([]);
  // Without a sandbox, nothing is recorded.
  expect(await visit(one.send, '')).toBe('200');
});

test('an address of an account needs no key, and a deleted one is unknown', async () => {
  const account = await signUp(strict);
  const { json } = await account.inSandbox('mine')('POST /api/sandbox/address');
  const { pathname } = new URL(json.address);
  for (const path of [pathname, pathname.replace('~', '%7E')]) {
    expect(await visit(account.send, path)).toBe('200');
  }
  await expect.poll(() => found(account.inSandbox('mine')), slowly).toEqual([rule, rule]);
  await account.send(`DELETE /api/sandbox/address/${pathname.slice('/s/'.length)}`);
  expect(await visit(account.send, pathname)).toBe('404');
});

test('a visit counts towards the quota of the account', async () => {
  const account = await signUp(strict);
  const [{ url }] = (await account.send('GET /api/http2/plan')).json;
  const at = new URL(`/s/mine/${rule}`, url).href;
  const headers = { 'x-service-key': account.key };
  for (let count = 1; count < quota; count++) {
    await account.send('GET /api/Books/1');
  }
  const { frames } = await meet(at, { headers });
  expect(Buffer.concat(frames.map(({ payload }) => payload)).toString('latin1')).toContain('404');
});

test('a run needs no key at the lab, because its id is random', async () => {
  const account = await signUp(strict);
  const begun = await account.send('POST /api/http2/plan/runs', { json: { cases: [rule] } });
  const { pathname } = new URL(begun.headers.location ?? '');
  await meet(begun.json[0].url, {}, 'naive');
  const read = async () => (await account.send(`GET ${pathname}`)).json[0].verdict;
  await expect.poll(read, slowly).toBe('broken');
  expect((await strict.send(`GET ${pathname}`)).status).toBe(401);
});

test.each([
  ['open', open],
  ['required', strict],
])('a pupil has findings by the address of the class; accounts are %s', async (_mode, service) => {
  const headers = service === strict ? { 'x-service-key': (await signUp(strict)).key } : {};
  const { join, teach } = await newClass(service, headers);
  const [ada, bob] = [await join('Ada'), await join('Bob')];
  const path = new URL(ada.address).pathname.replace(/\/$/, '');
  expect(await visit(ada.call, path)).toBe('200');
  await expect.poll(() => found(ada.call), slowly).toEqual([rule]);
  expect(await found(bob.call)).toEqual([]);

  await teach('PATCH', { json: { frozen: true } });
  expect(await visit(ada.call, path, { name: 'settings-push-1' })).toBe('200');
  await teach('PATCH', { json: { frozen: false } });
  await visit(ada.call, path, { name: 'hpack-index-0' });
  await expect.poll(() => found(ada.call), slowly).toContain('hpack-index-0');
  expect(await found(ada.call)).not.toContain('settings-push-1');
});

test.each(['/s/~AAAAAAAAAAAAAAAAAAAAAA', '/s/~short', '/s/a%2Fb', '/s/%', `/s/${'a'.repeat(65)}`])(
  '%s is unknown',
  async (path) => {
    expect(await visit(open.send, path)).toBe('404');
  },
);
