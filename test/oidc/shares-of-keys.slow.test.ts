/** Keys of new issuers are generated for each IP address in turn. */

import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';

const { send } = useDirectService({ trustProxy: true });

/** A hundred RSA keys are generated, which takes minutes on a busy machine. */
const keysTimeout = 300_000;

const keysFor = (address: string, sandbox: string) =>
  send(`GET /s/${sandbox}/oidc/jwks`, { headers: { 'X-Forwarded-For': address } });

test('many new issuers of one IP address do not keep other addresses from getting theirs', {
  timeout: keysTimeout,
}, async () => {
  const order: string[] = [];
  const crowd = Array.from({ length: 40 }, async (_, place) => {
    const { status, headers } = await keysFor('203.0.113.1', `crowd-${place}`);
    order.push('crowd');
    if (status === 503) expect(headers['retry-after']).toBe('2');
    else expect(status).toBe(200);
    return status;
  });
  // Requests arrive in the order in which they are sent: a rejected request shows that the queue is
  // full.
  await expect.poll(() => order.length, { timeout: 120_000 }).toBeGreaterThan(0);
  for (const address of ['203.0.113.2', '2001:db8::1']) {
    const { status, json } = await keysFor(address, `own-${address.length}`);
    expect(status).toBe(200);
    expect(json.keys).toHaveLength(3);
  }
  // An issuer that a second address waits for, too, no longer belongs only to the first.
  expect((await keysFor('203.0.113.3', 'crowd-31')).status).toBe(200);
  expect(order.length).toBeLessThan(crowd.length);
  const statuses = await Promise.all(crowd);
  expect(statuses).toContain(503);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20);
});
