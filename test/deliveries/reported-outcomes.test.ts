/** Reports about a test of a receiver: they correct what the service inferred, and not what it observed. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { hooksOf } from './hooks.js';

const service = useService();
const plan = '/api/webhooks/receiver-plan/runs';

interface Reply {
  readonly status: number | null;
  readonly ms?: number;
  /** Records that the receiver writes for each delivery. */
  readonly records?: number;
}

/** Runs some cases for a receiver whose reply depends on the case. */
async function runOf(name: string, replies: Readonly<Record<string, Reply>>) {
  const hooks = hooksOf(service, name);
  await hooks.call('PUT /api/sandbox/data', { received: [] });
  const { id: subscription } = await hooks.subscribe({ events: ['order.paid'] });
  const started = await hooks.call(`POST ${plan}`, { subscription, cases: Object.keys(replies) });
  const path = `${plan}/${String(started.headers.location).split('/').at(-1)}`;
  for (let due = await hooks.due(subscription); due.length > 0; ) {
    for (const each of due) {
      const { status = 204, ms = 5, records = 0 } = replies[each.case] ?? {};
      for (let written = 0; written < records; written++) {
        await hooks.call('POST /my/received', { of: each.event.id });
      }
      await hooks.report(subscription, each, status, { ms });
    }
    due = await hooks.due(subscription);
  }
  const stepOf = async (step: string) => {
    const { json } = await hooks.call(`GET ${path}`);
    return json.find((each: { readonly name: string }) => each.name === step);
  };
  const put = (step: string, outcome: unknown) => hooks.call(`PUT ${path}/${step}`, { outcome });
  return { hooks, stepOf, put };
}

test.each([
  ['duplicate', 'kept', { status: 204 }, 'unclear'],
  ['duplicate', 'broken', { status: 204 }, 'unclear'],
  ['out-of-order', 'kept', { status: 204 }, 'unclear'],
  ['slow-work', 'kept', { status: 204, ms: 4000 }, 'against-advice'],
  ['slow-work', 'broken', { status: 204, ms: 5 }, 'kept'],
  ['unknown-type', 'kept', { status: null }, 'unclear'],
])('%s: a report of %s overrides what was inferred', async (step, outcome, reply, observed) => {
  const { hooks, put, stepOf } = await runOf(`inferred-${step}-${outcome}`, { [step]: reply });
  expect(await stepOf(step)).toMatchObject({ observed, outcome: observed });
  const expected = { observed, reported: outcome, outcome, verdict: { outcome } };
  expect((await put(step, outcome)).json).toMatchObject(expected);
  expect(await stepOf(step)).toMatchObject(expected);
  const { json } = await hooks.call('GET /api/sandbox/verdicts?judge=receivers');
  const verdicts: { readonly rule: string }[] = json.judges[0].verdicts;
  expect(verdicts.find(({ rule }) => rule === step)).toMatchObject({ outcome });
});

test.each([
  ['wrong-signature', 'kept', { status: 200 }, 'broken'],
  ['wrong-signature', 'broken', { status: 401 }, 'kept'],
  ['raw-bytes', 'kept', { status: 400 }, 'broken'],
  ['redirect', 'kept', { status: 301 }, 'broken'],
  ['unknown-member', 'kept', { status: 500 }, 'against-advice'],
  ['duplicate', 'kept', { status: 204, records: 1 }, 'broken'],
])(
  '%s: a report of %s changes nothing that was observed',
  async (step, outcome, reply, observed) => {
    const { put, stepOf } = await runOf(`observed-${step}-${outcome}`, { [step]: reply });
    const expected = { observed, reported: outcome, outcome: observed };
    expect((await put(step, outcome)).json).toMatchObject(expected);
    expect(await stepOf(step)).toMatchObject(expected);
  },
);

test('a case that was not reached, another outcome, and unknown names', async () => {
  const hooks = hooksOf(service, 'unreached');
  const { id: subscription } = await hooks.subscribe({ scheme: 'github' });
  const cases = ['old-timestamp', 'duplicate'];
  const started = await hooks.call(`POST ${plan}`, { subscription, cases });
  const path = `${plan}/${String(started.headers.location).split('/').at(-1)}`;
  for (const name of cases) {
    const { json } = await hooks.call(`PUT ${path}/${name}`, { outcome: 'kept' });
    expect(json).toMatchObject({ outcome: 'not-reached', observed: 'not-reached' });
  }
  for (const outcome of ['unclear', 'against-advice', 'not-reached', '', null, 1]) {
    expect((await hooks.call(`PUT ${path}/duplicate`, { outcome })).status).toBe(400);
  }
  expect((await hooks.call(`PUT ${path}/gzip`, { outcome: 'kept' })).status).toBe(404);
  expect((await hooks.call(`PUT ${path}/none`, { outcome: 'kept' })).status).toBe(404);
  expect((await hooks.call(`PUT ${plan}/none/duplicate`, { outcome: 'kept' })).status).toBe(404);
  const stranger = hooksOf(service, 'stranger-of-unreached');
  expect((await stranger.call(`PUT ${path}/duplicate`, { outcome: 'kept' })).status).toBe(404);
});
