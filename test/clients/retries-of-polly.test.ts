/**
 * Polly's retries, which .NET's HTTP clients use, without .NET: its documented rules as a table,
 * executed by plain requests under a clock that moves by each wait. So every verdict is exact,
 * including equal gaps. https://www.pollydocs.org/strategies/retry and
 * Microsoft.Extensions.Http.Resilience.
 */

import { expect, test } from 'vitest';
import type { Verdict } from '../../src/faults/plan/judge-attempts.js';
import { useService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1);
const { send } = useService({ now: () => nowMs });

/** Returns 0 to 1; Polly's `Randomizer`. */
type Draw = () => number;

type BackoffType = 'Constant' | 'Linear' | 'Exponential';

interface Options {
  readonly BackoffType: BackoffType;
  readonly Delay: number;
  readonly MaxDelay?: number;
  readonly MaxRetryAttempts: number;
  readonly UseJitter: boolean;
  /** The delay that HttpRetryStrategyOptions adds with a DelayGenerator. */
  readonly ShouldRetryAfterHeader: boolean;
  /** The effect of DisableForUnsafeHttpMethods on ShouldHandle. */
  readonly isUnsafeDisabled: boolean;
}

const retryStrategyOptions: Options = {
  BackoffType: 'Constant',
  Delay: 2000,
  MaxRetryAttempts: 3,
  UseJitter: false,
  ShouldRetryAfterHeader: false,
  isUnsafeDisabled: false,
};

const httpRetryStrategyOptions: Options = {
  ...retryStrategyOptions,
  BackoffType: 'Exponential',
  UseJitter: true,
  ShouldRetryAfterHeader: true,
};

/** The delays of one execution, which has its own state. */
function delaysOf({ BackoffType, Delay, MaxDelay, UseJitter }: Options, draw: Draw) {
  let before = 0;
  const within25Percent = (delay: number) => delay * (0.75 + 0.5 * draw());
  const decorrelated = (attempt: number) => {
    const time = attempt + draw();
    const next = 2 ** time * Math.tanh(Math.sqrt(4 * time));
    const delay = ((next - before) / 1.4) * Delay;
    before = next;
    return delay;
  };
  const steady = (attempt: number) =>
    ({ Constant: 1, Linear: attempt + 1, Exponential: 2 ** attempt })[BackoffType] * Delay;
  return (attempt: number) => {
    const delay = !UseJitter
      ? steady(attempt)
      : BackoffType === 'Exponential'
        ? decorrelated(attempt)
        : within25Percent(steady(attempt));
    return Math.min(delay, MaxDelay ?? Number.POSITIVE_INFINITY);
  };
}

function retryAfterOf(header: string): number {
  return /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
}

const isUnsafe = (method: string) => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

/** Executes one request as Polly would, and returns its last status. */
async function execute(
  options: Options,
  draw: Draw,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { MaxRetryAttempts, ShouldRetryAfterHeader, isUnsafeDisabled } = options;
  const body = method === 'POST' ? { json: { amount: 1 } } : {};
  const delayAt = delaysOf(options, draw);
  for (let attempt = 0; ; attempt++) {
    const response = await send(`${method} ${path}`, { headers, ...body });
    const isHandled = response.status >= 500 && !(isUnsafeDisabled && isUnsafe(method));
    if (!isHandled || attempt === MaxRetryAttempts) return response.status;
    const asked = response.headers['retry-after'];
    const delay = delayAt(attempt);
    nowMs += Math.round(ShouldRetryAfterHeader && asked ? retryAfterOf(asked) : delay);
  }
}

/** The same draws in each run: spread evenly over 0 to 1, all different. */
function evenDraws(): Draw {
  let count = 0;
  return () => (++count * 0.618033988749895) % 1;
}

const failures = (count: number) => ({ sequence: Array(count).fill({ status: 503 }) });
const seconds = {
  sequence: [
    { status: 503, retryAfter: 2 },
    { status: 503, retryAfter: 1 },
  ],
};
const dates = {
  sequence: [2, 1].map((ahead) => ({ status: 503, retryAfter: { seconds: ahead, as: 'date' } })),
};

/** The gaps of two executions, one after another. */
const judged: Verdict = {
  retried: true,
  succeeded: true,
  honouredRetryAfter: null,
  backedOff: null,
  jittered: null,
  gaveUpAfter: null,
  repeatedUnsafely: false,
  sameBody: null,
};
const patience = (askedMs: number, waitedMs: number) => ({
  honouredRetryAfter: { honoured: waitedMs >= askedMs, askedMs, waitedMs },
});
const sameBody = { sameBody: true };

test.each<
  [name: string, Options, method: string, rule: object, expected: Partial<Verdict>, key?: string]
>([
  ['waits two seconds each time', retryStrategyOptions, 'GET', failures(3), { backedOff: false }],
  [
    'gives up after three retries',
    retryStrategyOptions,
    'GET',
    failures(4),
    { succeeded: false, gaveUpAfter: 4, backedOff: false },
  ],
  [
    'grows by the same amount each time when Linear',
    { ...retryStrategyOptions, BackoffType: 'Linear' },
    'GET',
    failures(3),
    { backedOff: true },
  ],
  [
    'grows by less than a fifth at the end when Linear: from six to seven times the delay',
    { ...retryStrategyOptions, BackoffType: 'Linear', MaxRetryAttempts: 7 },
    'GET',
    failures(7),
    { backedOff: true },
  ],
  [
    'doubles when Exponential',
    { ...retryStrategyOptions, BackoffType: 'Exponential', MaxRetryAttempts: 7 },
    'GET',
    failures(7),
    { backedOff: true },
  ],
  [
    'stops growing at MaxDelay',
    { ...retryStrategyOptions, BackoffType: 'Exponential', MaxDelay: 3000 },
    'GET',
    failures(3),
    { backedOff: true },
  ],
  [
    'stays within a quarter of Delay with UseJitter',
    { ...retryStrategyOptions, UseJitter: true },
    'GET',
    failures(3),
    { jittered: true },
  ],
  [
    'is decorrelated when Exponential with UseJitter, so a gap may be shorter than the previous one',
    { ...retryStrategyOptions, BackoffType: 'Exponential', UseJitter: true },
    'GET',
    failures(3),
    { backedOff: true, jittered: true },
  ],
  [
    'ignores Retry-After by default',
    { ...retryStrategyOptions, Delay: 500 },
    'GET',
    seconds,
    patience(2000, 500),
  ],
  [
    'honours Retry-After in HttpRetryStrategyOptions, without jitter',
    httpRetryStrategyOptions,
    'GET',
    seconds,
    patience(2000, 2000),
  ],
  [
    'honours dates in HttpRetryStrategyOptions, without jitter',
    httpRetryStrategyOptions,
    'GET',
    dates,
    // From a quarter past a second to the full second, and from there to the next.
    patience(2750, 2750),
  ],
  [
    'waits as BackoffType says in HttpRetryStrategyOptions without Retry-After',
    httpRetryStrategyOptions,
    'GET',
    failures(3),
    { backedOff: true, jittered: true },
  ],
  [
    'ignores Retry-After with ShouldRetryAfterHeader off',
    { ...retryStrategyOptions, BackoffType: 'Exponential', Delay: 500 },
    'GET',
    dates,
    patience(2750, 500),
  ],
  [
    'repeats every method by default',
    httpRetryStrategyOptions,
    'POST',
    seconds,
    { ...patience(2000, 2000), repeatedUnsafely: true, ...sameBody },
  ],
  [
    'repeats a POST with a key safely',
    httpRetryStrategyOptions,
    'POST',
    seconds,
    { ...patience(2000, 2000), ...sameBody },
    'order-1',
  ],
  [
    'never repeats a POST after DisableForUnsafeHttpMethods',
    { ...httpRetryStrategyOptions, isUnsafeDisabled: true },
    'POST',
    seconds,
    { retried: false, succeeded: false, gaveUpAfter: 1, backedOff: null, jittered: null },
  ],
])('%s', async (name, options, method, rule, expected, key) => {
  const sandbox = { 'X-Sandbox': name.replaceAll(/\W/g, '-').slice(0, 64) };
  const paths = [`/api/methods/${method.toLowerCase()}`, '/api/methods/any'];
  const rules = paths.map((path) => ({ match: { path }, ...rule }));
  await send('PUT /api/sandbox/faults', { headers: sandbox, json: { rules } });
  const draw = evenDraws();
  const verdict = { ...judged, ...expected };
  for (const path of paths) {
    nowMs = Math.ceil(nowMs / 1000) * 1000 + 250;
    const headers = { ...sandbox, ...(key && { 'Idempotency-Key': key }) };
    const status = await execute(options, draw, method, path, headers);
    expect(status).toBe(verdict.succeeded ? 200 : 503);
  }
  const { json } = await send('GET /api/sandbox/faults/log', { headers: sandbox });
  expect(json.series.map((series: { verdict: Verdict }) => series.verdict)).toEqual([
    verdict,
    verdict,
  ]);
});
