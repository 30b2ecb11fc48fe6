/**
 * What is counted of requests: how many there were and how long their answers took, by area. The way of
 * a request pays for two readings of the clock and two additions; everything else is done by who reads.
 */

import { STATUS_CODES } from 'node:http';
import type { Reply } from '../http/exchange.js';

/** The upper bounds in seconds of the classes that durations are counted in, the last being open. */
export const durationBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Any other verb is counted as `OTHER`: callers must not be able to make labels up. */
const countedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const placeOfMethod = new Map<string, number>(
  countedMethods.map((method, index) => [method, index]),
);

/** The status of a request whose client went before it was answered. */
const noStatus = 0;

/** A status has three digits. */
const statusesPerMethod = 1000;

export interface ResponseCount {
  readonly method: string;
  readonly status: string;
  readonly count: number;
}

/** The counts of one area. */
export class AreaCounts {
  /** By method and status in one number; there are no more keys than methods times statuses. */
  readonly #answers = new Map<number, number>();
  /** By class of {@link durationBounds}, and one for what is longer. */
  readonly durations = new Float64Array(durationBounds.length + 1);
  durationSumSeconds = 0;

  countAnswer(method: string, status: number): void {
    const place = placeOfMethod.get(method) ?? countedMethods.length;
    const key = place * statusesPerMethod + status;
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
  }

  countDuration(seconds: number): void {
    let place = 0;
    while (seconds > (durationBounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
    this.durations[place] = (this.durations[place] ?? 0) + 1;
    this.durationSumSeconds += seconds;
  }

  /** By method and status, where statuses that HTTP does not register are put together by class. */
  answers(): readonly ResponseCount[] {
    const counts = new Map<string, ResponseCount>();
    for (const [key, count] of this.#answers) {
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
  /** Requests that are not answered yet, or whose answer goes on. */
  inFlight = 0;
  readonly #byArea = new Map<string, AreaCounts>();

  get byArea(): ReadonlyMap<string, AreaCounts> {
    return this.#byArea;
  }

  of(area: string): AreaCounts {
    const known = this.#byArea.get(area);
    if (known !== undefined) return known;
    const created = new AreaCounts();
    this.#byArea.set(area, created);
    return created;
  }

  /** Counts a request until its answer is sent or its client has gone. */
  count(reply: Reply, areaCounts = this.of(noArea)): void {
    const { raw, startedAtMs } = reply;
    this.inFlight += 1;
    raw.on('close', () => {
      this.inFlight -= 1;
      const status = raw.headersSent ? raw.statusCode : noStatus;
      areaCounts.countAnswer(raw.req.method ?? '', status);
      if (raw.writableFinished && !isAsLongAsAsked(reply)) {
        areaCounts.countDuration((performance.now() - startedAtMs) / 1000);
      }
    });
  }
}

/** Whether the caller, and not the service, decided how long the answer took. */
function isAsLongAsAsked(reply: Reply): boolean {
  if (reply.hasHeader('x-simulated')) return true;
  const type = reply.getHeader('content-type');
  return typeof type === 'string' && type.startsWith('text/event-stream');
}

/** The area of what no area answers, such as an unknown path. */
export const noArea = 'none';
