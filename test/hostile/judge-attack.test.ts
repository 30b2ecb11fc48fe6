import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fetchGauges, readGauges } from '../../lab/harness/gauges.js';
import { judgeAttack } from '../../lab/hostile/judge-attack.js';

/** Twenty requests a second. */
const sent = (times: readonly (number | null)[]) =>
  times.map((ms, index) => ({ sentAtMs: index * 50, ms }));
const usual = Array.from({ length: 100 }, (): number | null => 3);

const calm = {
  isUp: true,
  healthMs: sent(usual),
  longestBlockMs: 250,
  referenceMs: 50,
  processorShare: 1,
  idleMebibytes: 80,
  peakMebibytes: 380,
  idle: { connections: 1, held_requests: 0 },
  left: { connections: 1, held_requests: 0 },
  complaints: [],
};
/** More than a twentieth of two seconds, but less than a twentieth of the whole. */
const someSlow = sent(usual.map((ms, index) => (index < 4 ? 1200 : ms)));
const fewSlow = sent(usual.map((ms, index) => (index < 1 ? 1200 : ms)));

test.each([
  ['values within all limits', calm, []],
  ['one slow response', { ...calm, healthMs: fewSlow }, []],
  [
    'responses that are slow because of other load',
    { ...calm, healthMs: someSlow, processorShare: 0.8 },
    [],
  ],
  [
    'slow responses',
    { ...calm, healthMs: someSlow },
    ['/health needed 1200 ms, 1200 ms without other processes'],
  ],
  ['a long block', { ...calm, longestBlockMs: 300 }, ['the event loop was blocked for 300 ms']],
  [
    'no responses',
    { ...calm, healthMs: sent(usual.map((ms, index) => (index < 10 ? null : ms))) },
    ['/health got no response'],
  ],
  ['memory', { ...calm, peakMebibytes: 381 }, ['301 MiB over idle, more than 300']],
  [
    'a leak',
    { ...calm, left: { connections: 1, held_requests: 2, unsent_bytes: 5 } },
    ['held_requests is 2 10 s after, 0 before', 'unsent_bytes is 5 10 s after, 0 before'],
  ],
  ['silence', { ...calm, left: undefined }, ['no metrics 10 s after']],
  ['silence before', { ...calm, idle: undefined }, ['no metrics before']],
  [
    'a crash and its consequences',
    { ...calm, isUp: false, left: undefined, peakMebibytes: 900 },
    ['the process went down'],
  ],
  ['a report of the attacker', { ...calm, complaints: ['it got through'] }, ['it got through']],
])('judges %s', (_name, observation, expected) => {
  expect(judgeAttack(observation, true).complaints).toEqual(expected);
});

test('judges no responses on a busy machine, and blocks only beyond a multiple of the reference', () => {
  const slow = { ...calm, healthMs: someSlow, longestBlockMs: 500 };
  expect(judgeAttack(slow, false).complaints).toEqual([]);
  const blocked = { ...slow, longestBlockMs: 501 };
  expect(judgeAttack(blocked, false).complaints).toEqual(['the event loop was blocked for 501 ms']);
  const slowMachine = { ...blocked, referenceMs: 63 };
  expect(judgeAttack(slowMachine, false).complaints).toEqual([]);
  expect(judgeAttack(slowMachine, true).complaints).toHaveLength(2);
});

test('a gauge that was released twice is negative, and a leak', () => {
  const left = { connections: 1, held_requests: -2 };
  expect(judgeAttack({ ...calm, left }, true).complaints).toEqual([
    'held_requests is -2 10 s after, 0 before',
  ]);
});

describe('a /metrics is a failure, not silence, if', () => {
  const good = '# TYPE practice_api_connections gauge\npractice_api_connections 1\n';
  test.each<[what: string, status: number, text: string, expected: object | undefined]>([
    ['it has an error', 500, good, undefined],
    ['it has no gauges', 200, '<p>Hello</p>', undefined],
    ['it is right, which is none', 200, good, { connections: 1 }],
  ])('%s', async (_what, status, text, expected) => {
    const server = createServer((_request, response) => response.writeHead(status).end(text));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await fetchGauges(`http://127.0.0.1:${port}`)).toEqual(expected);
    server.close();
  });
  test('nothing responds', async () => {
    expect(await fetchGauges('http://127.0.0.1:1')).toBeUndefined();
  });
});

test('reads gauges of open resources, and neither counters nor deliberate caches', () => {
  const metrics = `# TYPE practice_api_connections gauge
practice_api_connections 4
# TYPE practice_api_unsent_bytes gauge
practice_api_unsent_bytes 1.5e+3
# TYPE practice_api_held_requests gauge
practice_api_held_requests -2
# TYPE practice_api_refused_total counter
practice_api_refused_total 7
# TYPE practice_api_state_sandboxes gauge
practice_api_state_sandboxes 9
# TYPE practice_api_ready gauge
practice_api_ready 1
`;
  expect(readGauges(metrics, false)).toEqual({
    connections: 4,
    unsent_bytes: 1500,
    held_requests: -2,
  });
  expect(readGauges(metrics, true)).toEqual({ unsent_bytes: 1500, held_requests: -2 });
});
