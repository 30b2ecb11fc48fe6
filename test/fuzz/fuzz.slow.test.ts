/** A short run of `npm run fuzz`, the same each time. */

import { expect, test } from 'vitest';
import { allSources, describeFinding, runFuzz } from '../../lab/fuzz/run-fuzz.js';
import { useService } from '../support/service.js';

const requests = 2000;
const seed = 20_261_120;

const service = useService();

test('thousands of mutated requests get only documented responses', {
  timeout: 300_000,
}, async () => {
  const { sent, bySource, byStatus, findings } = await runFuzz(service.url, {
    sources: allSources(),
    requests,
    seed,
  });
  expect(findings.map(describeFinding)).toEqual([]);
  expect(sent).toBe(requests);
  // Many were accepted and many rejected, or the checks above would show little.
  for (const source of bySource.keys()) {
    expect(byStatus.get(`${source} 200`), source).toBeGreaterThan(2);
    expect(byStatus.get(`${source} 400`), source).toBeGreaterThan(2);
  }
});
