/**
 * Metrics in the text format of Prometheus, version 0.0.4. Counting is not done here: what is counted elsewhere is
 * read on demand, so that metrics cost nothing unless they are read.
 */

import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { lazily } from '../../base/lazily.js';
import { packageVersion } from '../../base/package-folder.js';
import type { MetricsSources } from '../../kit/infrastructure.js';
import { type AreaCounts, durationBounds, type RequestCounts } from '../../kit/request-counts.js';
import type { StateSizes } from '../../state/state.js';

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Of the process, under the names that dashboards for Node know; watched from the first scrape on. */
const processMetrics = lazily(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

/** Makes the function that writes the metrics of a service and of the process it runs in. */
export function metricsWriter(sources: MetricsSources): () => Promise<string> {
  const { registry, read } = serviceMetrics(sources);
  const everything = Registry.merge([registry, processMetrics()]);
  return async () => {
    await read();
    return everything.metrics();
  };
}

function serviceMetrics(sources: MetricsSources) {
  const {
    requests,
    connections,
    heldRequests,
    webSockets,
    bodyBytes,
    unsentBytes,
    isReady,
    stateSizes,
  } = sources;
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });

  new Gauge({
    name: 'practice_api_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageVersion, node: process.version }, 1);
  const responses = new Counter({
    name: 'practice_api_requests_total',
    help: 'Requests that got a response, or whose client left first (status aborted).',
    labelNames: ['area', 'method', 'status'],
    registers,
  });
  registry.registerMetric(durationHistogram(requests));
  const inFlight = gauge(
    'practice_api_requests_in_flight',
    'Requests in progress, held ones included.',
  );
  const held = gauge(
    'practice_api_held_requests',
    'Requests held open: event streams, waits for a capture and simulated delays.',
  );
  const sockets = gauge('practice_api_web_sockets', 'Open WebSockets.');
  const bodies = gauge('practice_api_body_bytes', 'Bytes of request bodies under way.');
  const unsent = gauge(
    'practice_api_unsent_bytes',
    'Bytes of responses that clients have not read yet.',
  );
  const open = gauge('practice_api_connections', 'Open connections.');
  const ready = gauge('practice_api_ready', 'Whether /health/ready says so: 1 or 0.');
  const stateGauges = {
    sandboxes: gauge(
      'practice_api_state_sandboxes',
      'Sandboxes that something was written to, the shared one and that of the service included.',
    ),
    valueBytes: gauge(
      'practice_api_state_value_bytes',
      'Approximate bytes of the values of all sandboxes, without those that practice_api_state_capture_bytes counts.',
    ),
    logEntries: gauge(
      'practice_api_state_captures',
      'Captured requests, pieces of uploads, changes of collections and messages of rooms that are kept.',
    ),
    logBytes: gauge(
      'practice_api_state_capture_bytes',
      'Bytes of captured requests, uploads, changes of collections and messages of rooms.',
    ),
  };

  async function read(): Promise<void> {
    responses.reset();
    for (const [area, counts] of requests.byArea) {
      for (const { method, status, count } of counts.answers()) {
        responses.inc({ area, method, status }, count);
      }
    }
    inFlight.set(requests.inFlight);
    held.set(heldRequests());
    sockets.set(webSockets());
    bodies.set(bodyBytes());
    unsent.set(unsentBytes());
    open.set(connections());
    ready.set((await isReady()) ? 1 : 0);
    const sizes = await sizesOrNone(stateSizes);
    for (const [name, stateGauge] of Object.entries(stateGauges)) {
      const size = sizes?.[name as keyof StateSizes];
      // What is not known is left out rather than told wrong.
      if (size === undefined) stateGauge.remove();
      else stateGauge.set(size);
    }
  }
  return { registry, read };
}

/** A state that does not respond must not hide everything else. */
async function sizesOrNone(
  stateSizes: MetricsSources['stateSizes'],
): Promise<StateSizes | undefined> {
  try {
    return await stateSizes();
  } catch {
    return undefined;
  }
}

/** A histogram whose observations were counted already, which the library's own cannot take. */
function durationHistogram(requests: RequestCounts): Metric {
  const name = 'practice_api_request_duration_seconds';
  const histogram = {
    name,
    help: 'From the head of a request to the last byte of its response; without what is slow on purpose: streams and simulated faults.',
    type: 'histogram',
    get: async () => ({
      ...histogram,
      values: [...requests.byArea].flatMap(([area, counts]) => valuesOf(name, area, counts)),
    }),
  };
  return histogram as unknown as Metric;
}

function valuesOf(name: string, area: string, { durations, durationSumSeconds }: AreaCounts) {
  let count = 0;
  const buckets = [...durations].map((more, index) => {
    count += more;
    const le = durationBounds[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { area, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { area }, value: durationSumSeconds },
    { metricName: `${name}_count`, labels: { area }, value: count },
  ];
}
