/** Large data is loaded for each IP address in turn. */

import { expect, test } from 'vitest';
import { useDirectService } from '../../support/direct-service.js';

const { send } = useDirectService({ trustProxy: true });

const load = (address: string, sandbox: string) =>
  send(`PUT /s/${sandbox}/api/sandbox/data`, {
    headers: { 'X-Forwarded-For': address },
    json: { c: Array.from({ length: 2000 }, (_, id) => ({ id, text: 'x'.repeat(80) })) },
  });

test('many large data of one IP address do not keep other addresses waiting', async () => {
  let ended = 0;
  const crowd = Array.from({ length: 30 }, async (_, place) => {
    const { status } = await load('203.0.113.1', `crowd-${place}`);
    ended++;
    return status;
  });
  await expect.poll(() => ended).toBeGreaterThan(0);
  for (const address of ['203.0.113.2', '2001:db8::1']) {
    const before = ended;
    expect((await load(address, `own-${address.length}`)).status).toBe(200);
    expect(ended - before).toBeLessThan(8);
  }
  expect(ended).toBeLessThan(crowd.length);
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
});
