import { expect, test } from 'vitest';
import { judgeAttack, maxHealthMs } from '../../lab/hostile/judge-attack.js';
import { readGauges } from '../../lab/hostile/settled-gauges.js';

const calm = {
  isUp: true,
  healthMs: Array.from({ length: 100 }, () => 3),
  processorShare: 1,
  idleMebibytes: 80,
  peakMebibytes: 380,
  idle: { connections: 1, held_requests: 0 },
  left: { connections: 1, held_requests: 0 },
  complaints: [],
};
/** More than the twentieth that a 95th percentile overlooks. */
const someSlow = calm.healthMs.map((ms, index) => (index < 10 ? 1200 : ms));
const fewSlow = calm.healthMs.map((ms, index) => (index < 3 ? 1200 : ms));

test.each([
  ['all that a limit allows', calm, []],
  ['a few slow responses', { ...calm, healthMs: fewSlow }, []],
  [
    'answers as slow as others on the machine make them',
    { ...calm, healthMs: someSlow, processorShare: 0.8 },
    [],
  ],
  ['slow responses', { ...calm, healthMs: someSlow }, ['/health took 1200 ms, 1200 of its own']],
  [
    'no responses',
    { ...calm, healthMs: calm.healthMs.map((ms, index) => (index < 10 ? null : ms)) },
    ['/health was not answered'],
  ],
  ['memory', { ...calm, peakMebibytes: 381 }, ['301 MiB over idle, more than 300']],
  [
    'a leak',
    { ...calm, left: { connections: 1, held_requests: 2, unsent_bytes: 5 } },
    ['held_requests is 2 10 s after, 0 before', 'unsent_bytes is 5 10 s after, 0 before'],
  ],
  ['silence', { ...calm, left: undefined }, ['no metrics 10 s after']],
  [
    'a fall, which the rest follows from',
    { ...calm, isUp: false, left: undefined, peakMebibytes: 900 },
    ['the process went down'],
  ],
  ['what the attacker tells', { ...calm, complaints: ['it got through'] }, ['it got through']],
])('judges %s', (_name, observation, expected) => {
  expect(judgeAttack(observation, maxHealthMs).complaints).toEqual(expected);
});

test('judges no time where no limit is given', () => {
  expect(judgeAttack({ ...calm, healthMs: someSlow }).complaints).toEqual([]);
});

test('reads gauges of what is open, and neither counters nor what is kept on purpose', () => {
  const metrics = `# TYPE practice_api_connections gauge
practice_api_connections 4
# TYPE practice_api_unsent_bytes gauge
practice_api_unsent_bytes 1.5e+3
# TYPE practice_api_refused_total counter
practice_api_refused_total 7
# TYPE practice_api_state_sandboxes gauge
practice_api_state_sandboxes 9
# TYPE practice_api_ready gauge
practice_api_ready 1
`;
  expect(readGauges(metrics, false)).toEqual({ connections: 4, unsent_bytes: 1500 });
  expect(readGauges(metrics, true)).toEqual({ unsent_bytes: 1500 });
});
