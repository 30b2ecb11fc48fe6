/** Failures, delays, the log, verdicts and recorded requests of each practice API. */

import { expect, test } from 'vitest';
import { dialects } from '../../src/areas/practice-apis/dialects.js';
import { useService } from '../support/service.js';

const { send } = useService();

const targets = [
  ...dialects.map(({ name, first, bases: [base = ''] }) => [name, base + first]),
  // The path of version 3 on a separate port.
  ['petstore', '/petstore/api/v3/pet/1'],
];

test('each declaration has a path to try first', () => {
  expect(dialects.filter(({ first }) => !first?.startsWith('/')).map(({ name }) => name)).toEqual(
    [],
  );
});

test.each(targets)('%s is slow on request: %s', async (_name, path) => {
  const rules = [{ sequence: [{ delayMs: 150 }] }];
  await send('PUT /s/slow/api/sandbox/faults', { json: { rules } });
  const before = performance.now();
  expect((await send(`GET /s/slow${path}`)).status).toBe(200);
  // Timers are up to a millisecond early.
  expect(performance.now() - before).toBeGreaterThan(148);
});

test.each(targets)('%s obeys fault plans, and its clients are judged: %s', async (name, path) => {
  const sandbox = `/s/judged-${name}-${path?.length}`;
  await send(`PUT ${sandbox}/api/sandbox/recording`, { json: { on: true } });
  const rules = [{ sequence: [{ status: 503, retryAfter: 1 }] }];
  await send(`PUT ${sandbox}/api/sandbox/faults`, { json: { rules } });
  expect((await send(`GET ${sandbox}${path}`)).status).toBe(503);
  expect((await send(`GET ${sandbox}${path}`)).status).toBe(200);
  const { attempts, series } = (await send(`GET ${sandbox}/api/sandbox/faults/log`)).json;
  expect(attempts.map((each: { path: string }) => each.path)).toEqual([path, path]);
  expect(series[0].verdict).toMatchObject({
    ...{ retried: true, succeeded: true, honouredRetryAfter: { honoured: false } },
  });
  const { judges } = (await send(`GET ${sandbox}/api/sandbox/verdicts?judge=retries`)).json;
  // Between replicas, the order of requests within 50 ms is in doubt.
  const outcome = expect.stringMatching(/^(?:against-advice|unclear)$/);
  expect(judges[0].verdicts).toContainEqual(
    expect.objectContaining({ id: 'retries-retry-after', outcome }),
  );
  const { requests } = (await send(`GET ${sandbox}/api/sandbox/requests`)).json;
  const statuses = requests
    .filter((each: { path: string }) => each.path.endsWith(path ?? ''))
    .map((each: { status: number }) => each.status);
  expect(statuses.sort()).toEqual([200, 503]);
});

test.each(targets)('%s has the parameters of the original only: %s', async (_name, path) => {
  const { status, headers } = await send(`GET ${path}?error=503&times=1`);
  expect(status).toBe(200);
  expect(headers['x-simulated']).toBeUndefined();
});
