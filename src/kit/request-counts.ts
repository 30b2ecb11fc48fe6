/** Counts requests and the durations of their responses, by area. */

import { STATUS_CODES } from 'node:http';
import type { Reply } from '#http/exchange.js';
import { guard } from '#wire/guard.js';

/** Upper limits of the histogram buckets in seconds; the last bucket is open. */
export const durationBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Other methods are counted as `OTHER`, so that callers cannot invent labels. */
const countedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const noStatus = 0;

const statusesPerMethod = 1000;

export interface ResponseCount {
  readonly method: string;
  readonly status: string;
  readonly count: number;
}

export class AreaCounts {
  /** Keys combine method and status in one number, of which there are few. */
  readonly #responses = new Map<number, number>();
  readonly durations = new Float64Array(durationBounds.length + 1);
  durationSumSeconds = 0;

  /** Counts a response; without a duration if the caller decides it. */
  add(method: string, status: number, seconds: number | undefined): void {
    const index = countedMethods.indexOf(method);
    const key = (index < 0 ? countedMethods.length : index) * statusesPerMethod + status;
    this.#responses.set(key, (this.#responses.get(key) ?? 0) + 1);
    if (seconds === undefined) return;
    let bound = 0;
    while (seconds > (durationBounds[bound] ?? Number.POSITIVE_INFINITY)) bound += 1;
    this.durations[bound] = (this.durations[bound] ?? 0) + 1;
    this.durationSumSeconds += seconds;
  }

  /** Returns counts by method and status; unregistered statuses are grouped by class. */
  responses(): readonly ResponseCount[] {
    const counts = new Map<string, ResponseCount>();
    for (const [key, count] of this.#responses) {
      const method = countedMethods[Math.floor(key / statusesPerMethod)] ?? 'OTHER';
      const status = nameStatus(key % statusesPerMethod);
      const before = counts.get(`${method} ${status}`)?.count ?? 0;
      counts.set(`${method} ${status}`, { method, status, count: before + count });
    }
    return [...counts.values()];
  }
}

function nameStatus(status: number): string {
  if (status === noStatus) return 'aborted';
  return status in STATUS_CODES ? String(status) : `${Math.floor(status / 100)}xx`;
}

export class RequestCounts {
  inFlight = 0;
  readonly byArea = new Map<string, AreaCounts>();

  of(area: string): AreaCounts {
    const counts = this.byArea.get(area) ?? new AreaCounts();
    this.byArea.set(area, counts);
    return counts;
  }

  /** Counts a request once its response is sent or its client has left. */
  count(reply: Reply, areaCounts = this.of(noArea)): void {
    const { raw, startedAtMs } = reply;
    this.inFlight += 1;
    const count = () => {
      this.inFlight -= 1;
      const type = String(reply.getHeader('content-type'));
      // The caller decides the duration of a simulated fault, and an event stream has no end.
      const isByCaller =
        reply.getHeader('x-simulated') !== undefined || type.startsWith('text/event-stream');
      const seconds =
        raw.writableFinished && !isByCaller ? (performance.now() - startedAtMs) / 1000 : undefined;
      const status = raw.headersSent ? raw.statusCode : noStatus;
      areaCounts.add(raw.req.method ?? '', status, seconds);
    };
    raw.on('close', guard(raw.req, count));
  }
}

/** Area of unknown paths. */
export const noArea = 'none';
