/** Metrics in the text format of Prometheus, version 0.0.4: what is counted elsewhere is read on demand. */

import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { lazily } from '../../base/lazily.js';
import { packageVersion } from '../../base/package-folder.js';
import type { MetricsSources } from '../../kit/infrastructure.js';
import { type AreaCounts, durationBounds, type RequestCounts } from '../../kit/request-counts.js';
import type { StateSizes } from '../../state/state.js';

/** Of the process, under the names that dashboards for Node know; watched from the first scrape on. */
const processMetrics = lazily(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

interface Scrape extends MetricsSources {
  readonly isReadyNow: boolean;
  readonly sizes: StateSizes | undefined;
}

type ScrapedGauge = readonly [
  name: string,
  help: string,
  /** What is not known is left out rather than told wrong. */
  read: (scrape: Scrape) => number | undefined,
];

const gauges: readonly ScrapedGauge[] = [
  [
    'requests_in_flight',
    'Requests in progress, held ones included.',
    ({ requests }) => requests.inFlight,
  ],
  [
    'held_requests',
    'Requests held open: event streams, waits for a capture and simulated delays.',
    ({ heldRequests }) => heldRequests(),
  ],
  ['web_sockets', 'Open WebSockets.', ({ webSockets }) => webSockets()],
  ['body_bytes', 'Bytes of request bodies under way.', ({ bodyBytes }) => bodyBytes()],
  [
    'unsent_bytes',
    'Bytes of responses that clients have not read yet.',
    ({ unsentBytes }) => unsentBytes(),
  ],
  ['connections', 'Open connections.', ({ connections }) => connections()],
  ['ready', 'Whether /health/ready says so: 1 or 0.', ({ isReadyNow }) => Number(isReadyNow)],
  [
    'state_sandboxes',
    'Sandboxes that something was written to, the shared one and that of the service included.',
    ({ sizes }) => sizes?.sandboxes,
  ],
  [
    'state_value_bytes',
    'Approximate bytes of the values of all sandboxes, without those that practice_api_state_capture_bytes counts.',
    ({ sizes }) => sizes?.valueBytes,
  ],
  [
    'state_captures',
    'Captured requests, pieces of uploads, changes of collections and messages of rooms that are kept.',
    ({ sizes }) => sizes?.logEntries,
  ],
  [
    'state_capture_bytes',
    'Bytes of captured requests, uploads, changes of collections and messages of rooms.',
    ({ sizes }) => sizes?.logBytes,
  ],
];

/** Makes the function that writes the metrics of a service and of the process it runs in. */
export function metricsWriter(sources: MetricsSources): () => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'practice_api_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageVersion, node: process.version }, 1);
  new Counter({
    name: 'practice_api_requests_total',
    help: 'Requests that got a response, or whose client left first (status aborted).',
    labelNames: ['area', 'method', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [area, counts] of sources.requests.byArea) {
        for (const { count, ...labels } of counts.responses()) this.inc({ area, ...labels }, count);
      }
    },
  });
  registry.registerMetric(durationHistogram(sources.requests));
  const scraped = gauges.map(([name, help, read]) => {
    return { gauge: new Gauge({ name: `practice_api_${name}`, help, registers }), read };
  });
  const everything = Registry.merge([registry, processMetrics()]);
  return async () => {
    const sizes = await readSizes(sources);
    const scrape = { ...sources, isReadyNow: await sources.isReady(), sizes };
    for (const { gauge, read } of scraped) {
      const value = read(scrape);
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    }
    return everything.metrics();
  };
}

/** A state that does not respond must not hide everything else. */
async function readSizes({ stateSizes }: MetricsSources): Promise<StateSizes | undefined> {
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
