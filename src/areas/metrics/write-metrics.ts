/** Writes metrics in the text format of Prometheus, version 0.0.4. Values counted elsewhere are read on each scrape. */

import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { lazily } from '#base/lazily.js';
import { packageVersion } from '#base/package/package-files.js';
import type { MetricsSources } from '#kit/infrastructure.js';
import { type AreaCounts, durationBounds, type RequestCounts } from '#kit/request-counts.js';
import type { StateSizes } from '#state/state.js';

/** Metrics of the process, under the names that dashboards for Node use. Collected from the first scrape on. */
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
  /** Returns `undefined` for an unknown value, which is left out. */
  read: (scrape: Scrape) => number | undefined,
];

const gauges: readonly ScrapedGauge[] = [
  [
    'requests_in_flight',
    'Requests in progress, including held ones.',
    ({ requests }) => requests.inFlight,
  ],
  [
    'held_requests',
    'Requests held open: event streams, waits for a capture and simulated delays.',
    ({ heldRequests }) => heldRequests(),
  ],
  ['web_sockets', 'Open WebSockets.', ({ webSockets }) => webSockets()],
  ['body_bytes', 'Bytes of request bodies in progress.', ({ bodyBytes }) => bodyBytes()],
  [
    'unsent_bytes',
    'Bytes of responses that clients have not read yet.',
    ({ unsentBytes }) => unsentBytes(),
  ],
  ['connections', 'Open connections.', ({ connections }) => connections()],
  ['ready', 'Whether /health/ready reports ready: 1 or 0.', ({ isReadyNow }) => Number(isReadyNow)],
  [
    'state_sandboxes',
    "Sandboxes with data, including the shared one and the service's internal one.",
    ({ sizes }) => sizes?.sandboxes,
  ],
  [
    'state_value_bytes',
    'Approximate bytes of the values of all sandboxes, without those in practice_api_state_capture_bytes.',
    ({ sizes }) => sizes?.valueBytes,
  ],
  [
    'state_captures',
    'Stored captured requests, pieces of uploads, changes of collections and messages of rooms.',
    ({ sizes }) => sizes?.logEntries,
  ],
  [
    'state_capture_bytes',
    'Bytes of captured requests, uploads, changes of collections and messages of rooms.',
    ({ sizes }) => sizes?.logBytes,
  ],
];

/** Returns a function that writes the metrics of a service and its process. */
export function metricsWriter(sources: MetricsSources): () => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'practice_api_build_info',
    help: 'Always 1; the labels identify the build.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageVersion, node: process.version }, 1);
  new Counter({
    name: 'practice_api_requests_total',
    help: 'Requests that got a response, or whose client disconnected first (status aborted).',
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

/** An unreachable state must not hide the other metrics. */
async function readSizes({ stateSizes }: MetricsSources): Promise<StateSizes | undefined> {
  try {
    return await stateSizes();
  } catch {
    return undefined;
  }
}

/** A histogram of observations counted elsewhere, which the library's histogram cannot accept. */
function durationHistogram(requests: RequestCounts): Metric {
  const name = 'practice_api_request_duration_seconds';
  const histogram = {
    name,
    help: 'From the head of a request to the last byte of its response, without intended delays: streams and simulated faults.',
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
