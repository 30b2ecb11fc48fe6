/** The codes of a second factor cannot be guessed, whatever a caller does to its sandboxes. */

import { expect, test } from 'vitest';
import { alan } from '../../src/http/credentials/practice-users.js';
import { totpAt } from '../../src/http/credentials/totp.js';
import { useDirectService } from '../support/direct-service.js';
import { Client } from './client.js';

let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ trustProxy: true, now: () => nowMs });

/** Logs in as alan in a sandbox and returns a function that sends codes from an IP address. */
async function beginIn(sandbox: string, address: string) {
  const client = new Client(service, sandbox);
  expect((await client.logIn('alan')).status).toBe(200);
  return (code: string, step = 'totp') =>
    client.send(`POST /${step}`, { headers: { 'X-Forwarded-For': address }, json: { code } });
}

test('an IP address may send ten wrong codes a minute, over all sandboxes', async () => {
  for (const [sandbox, step] of [
    ['one', 'totp'],
    ['two', 'recovery'],
  ] as const) {
    const sendCode = await beginIn(sandbox, '192.0.2.1');
    for (let each = 0; each < 5; each++) expect((await sendCode('000000', step)).status).toBe(401);
  }
  const sendCode = await beginIn('three', '192.0.2.1');
  const code = totpAt(alan.totpSecret ?? '', nowMs);
  const { status, headers, json } = await sendCode(code);
  expect([status, headers['retry-after'], json.retryAfter]).toEqual([429, '60', 60]);
  expect(json.message).toContain('accepted from this address');
  expect((await (await beginIn('three', '192.0.2.2'))(code)).status).toBe(200);
  nowMs += 60_000;
  expect((await sendCode(totpAt(alan.totpSecret ?? '', nowMs))).status).toBe(200);
});

test('moving the clock of a sandbox ends no wait', async () => {
  nowMs += 60_000;
  const sendCode = await beginIn('clock', '192.0.2.3');
  const statuses = [];
  for (let minute = 0; minute < 4; minute++) {
    const json = { offsetSeconds: 61 * minute };
    expect((await service.send('PUT /s/clock/api/sandbox/clock', { json })).status).toBe(200);
    for (let each = 0; each < 4; each++) statuses.push((await sendCode('000000')).status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.at(-1)).toBe(429);
});
