import { expect } from '@playwright/test';
import { test } from './fixtures.js';

/**
 * Makes requests of this test's sandbox fail as the rules say, and then pass.
 *
 * @param {import('@playwright/test').APIRequestContext} request @param {object[]} rules
 */
async function planFaults(request, ...rules) {
  const planned = await request.put('/api/sandbox/faults', { data: { rules } });
  expect(planned.ok(), await planned.text()).toBe(true);
}

/** @param {import('@playwright/test').APIRequestContext} request */
async function verdictOf(request) {
  const log = await (await request.get('/api/sandbox/faults/log')).json();
  return log.series[0].verdict;
}

test('a repeated check survives two failures, and backs off', async ({ request }) => {
  await planFaults(request, { sequence: [{ status: 503 }, { status: 503 }] });
  const check = async () => expect((await request.get('/api/Books/1')).status()).toBe(200);
  await expect(check).toPass({ intervals: [250, 1000], timeout: 20_000 });
  expect(await verdictOf(request)).toMatchObject({ succeeded: true, backedOff: true });
});

test('maxRetries survives a reset connection, but no error status', async ({ request }) => {
  await planFaults(request, { sequence: [{ reset: true }, { status: 503 }] });
  const response = await request.get('/api/Books/1', { maxRetries: 3 });
  expect(response.status()).toBe(503);
  expect(await verdictOf(request)).toMatchObject({ retried: true, gaveUpAfter: 2 });
});
