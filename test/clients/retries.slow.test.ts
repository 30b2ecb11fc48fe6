/**
 * Third-party clients retry against fault plans, and the log's verdict agrees with their code; the
 * relevant code is noted beside each. Gaps that must be distinguished differ by factors, since
 * other programs on the machine can lengthen any of them.
 */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Verdict } from '../../src/faults/plan/judge-attempts.js';
import type { Verdict as RuleVerdict } from '../../src/kit/verdict/verdict.js';
import type { ProgramName } from '../support/find-program.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import {
  buildGoProgram,
  type RetryingCall,
  retryingProgram,
  runRetrying,
} from './run-retrying.mjs';

type Call = Omit<RetryingCall, 'client'>;

/** The programs that each needs, besides Node. */
const libraries = {
  'axios-retry': [],
  got: [],
  ky: [],
  undici: [],
  'p-retry': [],
  curl: ['curl'],
  urllib3: ['urllib3'],
  tenacity: ['tenacity', 'urllib3'],
  backoff: ['backoff', 'urllib3'],
  'go-retryablehttp': ['go-retryablehttp'],
  'Apache HttpClient': ['httpclient5'],
} as const satisfies Record<string, readonly ProgramName[]>;

type Library = keyof typeof libraries;

const folder = join(tmpdir(), `practice-api-retries-${randomUUID()}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const places = { folder, python: foreignProgram('urllib3').command };

const unavailable = { status: 503 };
const askingSeconds = (seconds: number) => ({ status: 503, retryAfter: seconds });
const askingDate = (seconds: number) => ({ status: 503, retryAfter: { seconds, as: 'date' } });

/** Enough that a client with random gaps does not use the same gap in all of them. */
const seriesCount = 20;

const plans = {
  'Retry-After in seconds': { sequence: [askingSeconds(2), askingSeconds(1)] },
  'Retry-After as dates': { sequence: [askingDate(2), askingDate(1)] },
  'no Retry-After': { sequence: [unavailable, unavailable] },
  'six failures': { sequence: Array(6).fill(unavailable) },
  'one second five times': { sequence: Array(5).fill(askingSeconds(1)) },
  'no end': { sequence: [unavailable], then: 'last' },
  /** One series each; two failures without Retry-After. */
  'many at once': { sequence: [unavailable, unavailable] },
} as const;

type PlanName = keyof typeof plans;
type RequestName = 'GET' | 'POST' | 'POST with a key';

/** Some expectations come from the program, which asks its library for its features. */
type Expected = Partial<Verdict> | ((remark: string | undefined) => Partial<Verdict>);

interface Case {
  readonly library: Library;
  readonly client: string;
  readonly request: RequestName;
  readonly plan: PlanName;
  readonly expected: Expected;
  /** The behaviour that its code shows. */
  readonly why: string;
}

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
const patience = (honoured: boolean) => ({
  honoured,
  askedMs: expect.any(Number),
  waitedMs: expect.any(Number),
});
const honoured = { honouredRetryAfter: patience(true) };
const ignored = { honouredRetryAfter: patience(false) };
const backedOff = { backedOff: true };
const jittered = { jittered: true };
const sameBody = { sameBody: true };
const unsafe = { repeatedUnsafely: true };
const gaveUpAfter = (attempts: number) => ({ succeeded: false, gaveUpAfter: attempts });
const oneAttempt = { ...gaveUpAfter(1), retried: false, backedOff: null };
/** Random waits, or waits too short to be distinguished from the duration of a request. */
const byChance = { backedOff: expect.toBeOneOf([true, false, null]) };
/** Equal waits, unless other load lengthens one of them. */
const constant = { backedOff: expect.toBeOneOf([false, null]) };

type Row = readonly [RequestName, client: string, PlanName, Expected, why: string];

function casesOf(library: Library, rows: readonly Row[]): Case[] {
  return rows.map(([request, client, plan, expected, why]) => {
    return { library, client, request, plan, expected, why };
  });
}

const cases: readonly Case[] = [
  ...casesOf('axios-retry', [
    ['GET', 'axios-retry', 'Retry-After in seconds', honoured, 'noDelay waits retryAfter(error)'],
    ['GET', 'axios-retry', 'Retry-After as dates', honoured, 'what is no number is a Date'],
    ['GET', 'axios-retry', 'no end', { ...gaveUpAfter(4), ...byChance }, 'retries: 3, no delay'],
    [
      'POST',
      'axios-retry',
      'no Retry-After',
      oneAttempt,
      'POST is not among the idempotent methods',
    ],
    ['POST with a key', 'axios-retry', 'no Retry-After', oneAttempt, 'nor does it look at headers'],
    [
      'POST',
      'axios-retry isRetryableError',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'a condition that asks for the status alone; transformRequest is emptied, so the body stays',
    ],
    [
      'POST with a key',
      'axios-retry for what has a key',
      'Retry-After in seconds',
      { ...honoured, ...sameBody },
      'a condition of our own; the config is sent again with its headers',
    ],
    [
      'POST',
      'axios-retry for what has a key',
      'no Retry-After',
      oneAttempt,
      'the same condition, without what it asks for',
    ],
    [
      'GET',
      'axios-retry exponentialDelay',
      'no Retry-After',
      backedOff,
      '2 ** count * factor, and up to a fifth: 0.8 to 0.96 s, 1.6 to 1.92 s',
    ],
    [
      'GET',
      'axios-retry exponentialDelay',
      'Retry-After in seconds',
      honoured,
      'the larger of both, and up to a fifth: 2 to 2.4 s, 1.6 to 1.92 s',
    ],
    [
      'GET',
      'axios-retry exponentialDelay',
      'many at once',
      { ...byChance, ...jittered },
      'delay * 0.2 * Math.random() on top',
    ],
  ]),
  ...casesOf('got', [
    [
      'GET',
      'got',
      'Retry-After in seconds',
      honoured,
      'retryAfter takes the place of the back-off',
    ],
    ['GET', 'got', 'Retry-After as dates', honoured, 'Date.parse(…) - Date.now()'],
    ['GET', 'got', 'no Retry-After', backedOff, '2 ** (count - 1) * 1000, and noise up to 100'],
    ['GET', 'got', 'no end', { ...gaveUpAfter(3), ...backedOff }, 'limit: 2'],
    ['POST', 'got', 'no Retry-After', oneAttempt, 'methods has no POST'],
    ['POST with a key', 'got', 'no Retry-After', oneAttempt, 'nor does it look at headers'],
    [
      'POST',
      'got methods',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'methods has POST; the options are cloned with their body',
    ],
    [
      'POST with a key',
      'got methods',
      'Retry-After as dates',
      { ...honoured, ...sameBody },
      'the options are cloned with their headers',
    ],
    [
      'GET',
      'got',
      'many at once',
      { ...byChance, ...jittered },
      'Math.random() * 100 on top: 1 to 1.1 s, 2 to 2.1 s',
    ],
  ]),
  ...casesOf('ky', [
    ['GET', 'ky', 'Retry-After in seconds', honoured, '503 is among afterStatusCodes'],
    ['GET', 'ky', 'Retry-After as dates', honoured, 'Date.parse(…) - Date.now()'],
    [
      'GET',
      'ky jitter',
      'Retry-After in seconds',
      honoured,
      'no jitter where Retry-After says when',
    ],
    ['GET', 'ky delay', 'no Retry-After', backedOff, 'delay(count): 0.3 s, 1.2 s'],
    ['GET', 'ky', 'no end', { ...gaveUpAfter(3), ...byChance }, 'limit: 2, after 0.3 s and 0.6 s'],
    ['POST', 'ky', 'no Retry-After', oneAttempt, 'methods has no post'],
    [
      'POST',
      'ky methods',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'a clone of the request is sent each time',
    ],
    [
      'POST with a key',
      'ky methods',
      'Retry-After in seconds',
      { ...honoured, ...sameBody },
      'a clone of the request has its headers',
    ],
    ['GET', 'ky jitter', 'many at once', { ...byChance, ...jittered }, 'Math.random() * delay'],
  ]),
  ...casesOf('undici', [
    [
      'GET',
      'undici RetryAgent',
      'Retry-After in seconds',
      honoured,
      'seconds * 1e3, at most maxTimeout',
    ],
    ['GET', 'undici RetryAgent', 'Retry-After as dates', honoured, 'what is no number is a Date'],
    [
      'GET',
      'undici RetryAgent',
      'no Retry-After',
      backedOff,
      'minTimeout * timeoutFactor ** (counter - 1): 0.25 s, 1 s',
    ],
    [
      'GET',
      'undici RetryAgent minTimeout',
      'no end',
      { ...gaveUpAfter(6), ...byChance },
      'maxRetries: 5',
    ],
    ['POST', 'undici RetryAgent', 'no Retry-After', oneAttempt, 'methods has no POST'],
    [
      'POST with a key',
      'undici RetryAgent',
      'no Retry-After',
      oneAttempt,
      'nor does it look at headers',
    ],
    [
      'POST',
      'undici RetryAgent methods',
      'no Retry-After',
      { ...backedOff, ...unsafe, ...sameBody },
      'methods has POST; the options are dispatched again',
    ],
    [
      'POST with a key',
      'undici RetryAgent methods',
      'Retry-After as dates',
      { ...honoured, ...sameBody },
      'the options have the headers',
    ],
  ]),
  ...casesOf('p-retry', [
    [
      'GET',
      'p-retry',
      'Retry-After in seconds',
      ignored,
      'it knows functions and not HTTP: 0.25 s, 1 s',
    ],
    ['GET', 'p-retry', 'no Retry-After', backedOff, 'minTimeout * factor ** (attempt - 1)'],
    ['GET', 'p-retry minTimeout', 'no end', { ...gaveUpAfter(4), ...byChance }, 'retries: 3'],
    [
      'GET',
      'p-retry randomize',
      'many at once',
      { ...byChance, ...jittered },
      'Math.random() + 1 times the wait',
    ],
    [
      'POST',
      'p-retry',
      'no Retry-After',
      { ...backedOff, ...unsafe, ...sameBody },
      'it calls whatever it is put around',
    ],
    [
      'POST with a key',
      'p-retry for what is safe',
      'no Retry-After',
      { ...byChance, ...sameBody },
      'the function is called again with the same headers',
    ],
  ]),
  ...casesOf('curl', [
    [
      'GET',
      'curl --retry 3',
      'Retry-After in seconds',
      honoured,
      'sleeps as long as Retry-After says',
    ],
    ['GET', 'curl --retry 3', 'Retry-After as dates', honoured, 'reads dates as well'],
    ['GET', 'curl --retry 3', 'no Retry-After', backedOff, 'one second, then twice as long'],
    [
      'GET',
      'curl --retry 1',
      'no end',
      { ...gaveUpAfter(2), backedOff: null },
      'one retry, as asked',
    ],
    [
      'POST',
      'curl --retry 3',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'every method is repeated',
    ],
    [
      'POST with a key',
      'curl --retry 3',
      'no Retry-After',
      { ...backedOff, ...sameBody },
      'with the same headers',
    ],
  ]),
  ...casesOf('urllib3', [
    [
      'GET',
      'urllib3 Retry',
      'Retry-After in seconds',
      honoured,
      '503 is retried where it has Retry-After',
    ],
    ['GET', 'urllib3 Retry', 'Retry-After as dates', honoured, 'parsedate_tz, less time.time()'],
    ['GET', 'urllib3 Retry', 'no Retry-After', oneAttempt, 'status_forcelist is empty'],
    [
      'POST',
      'urllib3 Retry',
      'Retry-After in seconds',
      oneAttempt,
      'POST is not among allowed_methods',
    ],
    [
      'GET',
      'urllib3 Retry(status_forcelist)',
      'no Retry-After',
      backedOff,
      'the first retry at once, then backoff_factor * 2: 0 s, 1 s',
    ],
    [
      'GET',
      'urllib3 Retry(status_forcelist)',
      'no end',
      { ...gaveUpAfter(4), ...backedOff },
      'total=3: 0 s, 1 s, 2 s',
    ],
    [
      'GET',
      'urllib3 Retry(respect_retry_after_header=False)',
      'Retry-After in seconds',
      ignored,
      'the back-off alone: 0 s, 1 s',
    ],
    [
      'POST',
      'urllib3 Retry(allowed_methods)',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'allowed_methods has POST; urlopen is called again with the same body',
    ],
    [
      'POST with a key',
      'urllib3 Retry(allowed_methods)',
      'Retry-After as dates',
      { ...honoured, ...sameBody },
      'urlopen is called again with the same headers',
    ],
  ]),
  ...casesOf('tenacity', [
    [
      'GET',
      'tenacity wait_exponential',
      'Retry-After in seconds',
      ignored,
      'it knows functions and not HTTP: 0.25 s, 1 s',
    ],
    ['GET', 'tenacity wait_exponential', 'Retry-After as dates', ignored, 'the same'],
    ['GET', 'tenacity wait_exponential', 'no Retry-After', backedOff, 'multiplier * exp_base ** n'],
    ['GET', 'tenacity wait_fixed', 'six failures', constant, 'the same wait, six times'],
    [
      'GET',
      'tenacity wait_none',
      'no end',
      { ...gaveUpAfter(4), ...byChance },
      'stop_after_attempt(4)',
    ],
    [
      'GET',
      'tenacity wait_random_exponential',
      'many at once',
      { ...byChance, ...jittered },
      'random.uniform(0, exponential)',
    ],
    [
      'POST with a key',
      'tenacity around what makes the body',
      'no Retry-After',
      { ...backedOff, sameBody: false },
      'the function is called again, and makes another body under the same key',
    ],
  ]),
  ...casesOf('backoff', [
    [
      'GET',
      'backoff runtime(jitter=None)',
      'Retry-After in seconds',
      honoured,
      'value(exception) is what Retry-After says',
    ],
    ['GET', 'backoff runtime(jitter=None)', 'Retry-After as dates', honoured, 'the same'],
    [
      'GET',
      'backoff runtime',
      'one second five times',
      { ...ignored, ...byChance },
      'full_jitter is the default, so it waits from 0 to what Retry-After says',
    ],
    [
      'GET',
      'backoff expo(jitter=None)',
      'Retry-After in seconds',
      ignored,
      'expo looks at no response: 0.25 s, 1 s',
    ],
    ['GET', 'backoff expo(jitter=None)', 'no Retry-After', backedOff, 'factor * base ** n'],
    [
      'GET',
      'backoff expo',
      'many at once',
      { ...byChance, ...jittered },
      'full_jitter is the default',
    ],
    ['GET', 'backoff constant', 'no end', { ...gaveUpAfter(4), ...byChance }, 'max_tries=4'],
    [
      'POST',
      'backoff expo(jitter=None)',
      'no Retry-After',
      { ...backedOff, ...unsafe, ...sameBody },
      'it calls whatever it is put around',
    ],
  ]),
  ...casesOf('go-retryablehttp', [
    ['GET', 'go-retryablehttp', 'Retry-After in seconds', honoured, 'ParseInt, in DefaultBackoff'],
    [
      'GET',
      'go-retryablehttp',
      'Retry-After as dates',
      (readsDates) => (readsDates === 'true' ? honoured : ignored),
      'before 0.7.6 ParseInt alone, so it backs off: 0.6 s, 1.2 s',
    ],
    ['GET', 'go-retryablehttp', 'no Retry-After', backedOff, 'min * 2 ** n: 0.6 s, 1.2 s'],
    [
      'GET',
      'go-retryablehttp without patience',
      'no end',
      { ...gaveUpAfter(5), ...byChance },
      'RetryMax: 4',
    ],
    [
      'GET',
      'go-retryablehttp LinearJitterBackoff',
      'many at once',
      { ...byChance, ...jittered },
      'any between min and max, times n',
    ],
    [
      'POST',
      'go-retryablehttp',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'DefaultRetryPolicy does not ask for the method; the body is rewound',
    ],
    [
      'POST with a key',
      'go-retryablehttp',
      'no Retry-After',
      { ...backedOff, ...sameBody },
      'the request is sent again with its headers',
    ],
  ]),
  ...casesOf('Apache HttpClient', [
    [
      'GET',
      'Apache HttpClient(6, 100 ms)',
      'Retry-After in seconds',
      honoured,
      'ofSeconds(parseLong(…))',
    ],
    [
      'GET',
      'Apache HttpClient(6, 100 ms)',
      'Retry-After as dates',
      honoured,
      'parseStandardDate(…)',
    ],
    [
      'GET',
      'Apache HttpClient(6, 100 ms)',
      'six failures',
      constant,
      'defaultRetryInterval, always the same',
    ],
    ['GET', 'Apache HttpClient', 'no end', { ...gaveUpAfter(2), backedOff: null }, 'maxRetries: 1'],
    [
      'POST',
      'Apache HttpClient(6, 100 ms)',
      'Retry-After in seconds',
      { ...honoured, ...unsafe, ...sameBody },
      'asks for the method after exceptions only, not after a status',
    ],
    [
      'POST with a key',
      'Apache HttpClient(6, 100 ms)',
      'Retry-After as dates',
      { ...honoured, ...sameBody },
      'a copy of the request has its headers',
    ],
  ]),
];

const service = useService();

const numbered = cases.map((each, index) => ({ ...each, index }));
type NumberedCase = (typeof numbered)[number];

/**
 * The maximum number of runs of a case: the first run is beside all others, any further run by
 * itself.
 */
const rounds = 3;

const sandboxOf = (index: number, round: number) => `retries-${index}-${round}`;

const pathsOf = (plan: PlanName) =>
  plan === 'many at once'
    ? Array.from({ length: seriesCount }, (_, place) => `/api/Books/${place + 1}`)
    : ['/api/methods/any'];

function callsOf({ request, plan, index }: NumberedCase, round: number): Call[] {
  const [method = ''] = request.split(' ');
  const key = request.endsWith('key') ? 'order-1' : '';
  const body = method === 'POST' ? '{"amount":1}' : '';
  const sandbox = sandboxOf(index, round);
  return pathsOf(plan).map((path) => ({ method, url: service.url + path, sandbox, key, body }));
}

async function putPlan({ plan, index }: NumberedCase, round: number): Promise<void> {
  const rules = pathsOf(plan).map((path) => ({ match: { path }, ...plans[plan] }));
  const headers = { 'X-Sandbox': sandboxOf(index, round) };
  const put = await service.send('PUT /api/sandbox/faults', { headers, json: { rules } });
  expect(put.status, put.text).toBe(200);
}

interface Outcome {
  /** The outcome of the calls of a case. */
  readonly statuses: readonly number[];
  /** Other lines that a program prints. */
  readonly remark: string | undefined;
}

/** Makes all calls of these cases concurrently, and returns the outcome of each case. */
async function carryOut(
  library: Library,
  own: readonly NumberedCase[],
  round: number,
): Promise<Outcome[]> {
  await Promise.all(own.map((each) => putPlan(each, round)));
  const calls = own.map((each) => callsOf(each, round));
  const lines = own.map(({ client }, place) =>
    (calls[place] ?? []).map((call) => ({ client, ...call })),
  );
  const printed = await runRetrying(retryingProgram(library, places), lines.flat());
  const remark = printed[lines.flat().length];
  return lines.map(({ length }) => ({ statuses: printed.splice(0, length).map(Number), remark }));
}

const brokenOf = (verdicts: readonly RuleVerdict[]) =>
  verdicts.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule);

const firstRuns = new Map<Library, Promise<Outcome[]>>();
const casesWith = (library: Library) => numbered.filter((each) => each.library === library);

beforeAll(async () => {
  const all = Object.keys(libraries) as Library[];
  const there = all.filter((library) => testsWith(...libraries[library]).isInstalled);
  // Before any measurement.
  if (there.includes('go-retryablehttp')) await buildGoProgram(folder);
  for (const library of there) {
    const run = carryOut(library, casesWith(library), 0);
    // A failure here fails the tests that read the outcome.
    run.catch(() => {});
    firstRuns.set(library, run);
  }
});

describe.each(Object.keys(libraries) as Library[])('%s', (library) => {
  const own = casesWith(library);
  const { test: runs } = testsWith(...libraries[library]);
  runs.for(own)(
    '$client is judged as it is written: $request, $plan',
    // Other load at the wrong moment lengthens a gap; it does not do so in every run.
    { retry: rounds - 1 },
    async (each, { task }) => {
      const round = task.result?.retryCount ?? 0;
      const outcomes =
        round === 0 ? await firstRuns.get(library) : await carryOut(library, [each], round);
      const { statuses, remark } = outcomes?.[round === 0 ? own.indexOf(each) : 0] ?? {};
      const { index, plan, expected, why } = each;
      const told = typeof expected === 'function' ? expected(remark) : expected;
      const verdict = { ...judged, ...told };
      const count = pathsOf(plan).length;
      expect(statuses).toHaveLength(count);
      for (const status of statuses ?? []) expect(status === 200).toBe(verdict.succeeded);
      const headers = { 'X-Sandbox': sandboxOf(index, round) };
      const { json } = await service.send('GET /api/sandbox/faults/log', { headers });
      const gaps = json.attempts.map(({ gapMs }: { gapMs: number | null }) => gapMs);
      const judgement = json.series.map((series: { verdict: Verdict }) => series.verdict);
      expect(brokenOf(json.verdicts), why).toEqual([
        ...(verdict.repeatedUnsafely ? ['safe-repetition'] : []),
        ...(verdict.sameBody === false ? ['same-body'] : []),
      ]);
      expect(judgement, `${why}; gaps of ${gaps.join(', ')} ms`).toEqual(
        Array(count).fill(verdict),
      );
    },
  );
});
