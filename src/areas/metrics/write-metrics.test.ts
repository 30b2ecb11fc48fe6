import { expect, test } from 'vitest';
import type { MetricsSources } from '#kit/infrastructure.js';
import { RequestCounts } from '#kit/request-counts.js';
import { metricsWriter } from './write-metrics.js';

const requests = new RequestCounts();
const sources: MetricsSources = {
  requests,
  connections: () => 3,
  heldRequests: () => 2,
  webSockets: () => 4,
  bodyBytes: () => 3000,
  unsentBytes: () => 4000,
  isReady: () => true,
  stateSizes: () => ({ sandboxes: 4, valueBytes: 5, logEntries: 6, logBytes: 7 }),
};

test('an unreachable state hides only its own sizes', async () => {
  let isReachable = true;
  const write = metricsWriter({
    ...sources,
    isReady: () => isReachable,
    stateSizes: async () => {
      if (isReachable) return sources.stateSizes();
      throw new Error('There is no connection.');
    },
  });
  expect(await write()).toContain('\npractice_api_state_captures 6\n');
  isReachable = false;
  const text = await write();
  expect(text).toContain('\npractice_api_ready 0\n');
  expect(text).toContain('\npractice_api_connections 3\n');
  expect(text).not.toMatch(/^practice_api_state_\w+ /m);
});

test('durations count in the buckets whose bounds they do not exceed', async () => {
  const area = requests.of('dice');
  area.add('GET', 200, 0.0005);
  area.add('GET', 200, 0.2);
  area.add('GET', 200, 100);
  const text = await metricsWriter(sources)();
  const value = (labels: string) =>
    new RegExp(`^practice_api_request_duration_seconds${labels} (\\S+)$`, 'm').exec(text)?.[1];
  expect(value('_bucket{area="dice",le="0.0005"}')).toBe('1');
  expect(value('_bucket{area="dice",le="0.1"}')).toBe('1');
  expect(value('_bucket{area="dice",le="0.25"}')).toBe('2');
  expect(value('_bucket{area="dice",le="10"}')).toBe('2');
  expect(value('_bucket{area="dice",le="\\+Inf"}')).toBe('3');
  expect(value('_count{area="dice"}')).toBe('3');
  expect(value('_sum{area="dice"}')).toBe('100.2005');
});
