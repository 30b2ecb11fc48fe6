/** A short run of `npm run fuzz`, with the seed of the run. */

import { expect, test } from 'vitest';
import { allSources, describeFinding, runFuzz } from '../../lab/fuzz/run-fuzz.js';
import { describeLeaks, fetchGauges, settledGauges } from '../../lab/harness/gauges.js';
import { seed } from '../support/case-count.js';
import { useService } from '../support/service.js';

const requests = 2000;
/** Small sources get more cases than in a long run, so that their counts below do not depend on luck. */
const sources = allSources().map(([source, weight]) => [source, Math.max(weight, 20)] as const);
/** These send only valid requests. */
const valid = 'echoes';
/** Sources of which few requests are rejected. */
const lenient = ['misused connections'];

/** These have no statuses. */
const frames = 'frames of HTTP/2';

const service = useService({ metrics: 'on', http2LabPort: 0 });

test('thousands of mutated requests get only documented responses, and are all forgotten', {
  timeout: 300_000,
}, async () => {
  const idle = await fetchGauges(service.url);
  const { sent, bySource, byStatus, findings } = await runFuzz(service.url, {
    sources,
    requests,
    seed,
  });
  expect(findings.map(describeFinding), `seed ${seed}`).toEqual([]);
  expect(sent).toBe(requests);
  // Many were accepted and many rejected, or the checks above would show little.
  for (const source of bySource.keys()) {
    if (source === frames) continue;
    expect(byStatus.get(`${source} 200`), source).toBeGreaterThan(2);
    if (source === valid) continue;
    const floor = lenient.includes(source) ? 0 : 2;
    expect(byStatus.get(`${source} 400`), source).toBeGreaterThan(floor);
  }
  const running = { url: service.url, isUp: () => true };
  expect(describeLeaks(idle, await settledGauges(running, idle))).toEqual([]);
});
