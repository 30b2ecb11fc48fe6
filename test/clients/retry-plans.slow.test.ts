/**
 * Third-party clients, configured as their documentation recommends, under the plans of the guide
 * about retries: no rule is broken.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProgramName } from '../support/find-program.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { carryOutPlans, guidePlans, type JudgedPlan } from './carry-out-plans.mjs';
import { buildGoProgram, retryingProgram } from './run-retrying.mjs';

const service = useService();
const folder = join(tmpdir(), `practice-api-plans-${randomUUID()}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const python = foreignProgram('urllib3').command;
const ignoresRetryAfter = { 'retry-after': 'against-advice' };
/** Before 0.7.6 it ignores dates. */
const mayIgnoreDates = { 'retry-after': expect.toBeOneOf(['kept', 'against-advice']) };

/** With the programs that it needs, and what differs from `kept` in the steps that reach it. */
const clients: readonly (readonly [
  library: string,
  client: string,
  needs: readonly ProgramName[],
  against: Readonly<Record<string, unknown>>,
])[] = [
  ['got', 'got', [], {}],
  ['ky', 'ky jitter', [], {}],
  ['axios-retry', 'axios-retry for what has a key', [], {}],
  ['undici', 'undici RetryAgent maxRetries', [], {}],
  ['p-retry', 'p-retry for what is safe', [], ignoresRetryAfter],
  ['urllib3', 'urllib3 Retry for what has a key', ['urllib3'], {}],
  ['tenacity', 'tenacity for what is safe', ['tenacity', 'urllib3'], ignoresRetryAfter],
  ['go-retryablehttp', 'go-retryablehttp for what is safe', ['go-retryablehttp'], mayIgnoreDates],
];

beforeAll(async () => {
  if (testsWith('go-retryablehttp').isInstalled) await buildGoProgram(folder);
});

const stepOf = (judged: readonly JudgedPlan[], name: string) =>
  judged.find(({ plan }) => plan === name) ?? { verdicts: [], series: [] };

for (const [library, client, needs, against] of clients) {
  testsWith(...needs).test(`${client} breaks no rule`, async () => {
    const program = retryingProgram(library, { folder, python });
    const [judged = []] = await carryOutPlans(service.url, program, [client]);
    const outcomes = judged.flatMap(({ plan, verdicts }) =>
      verdicts.map(({ rule, outcome }) => `${plan}: ${rule} is ${outcome}`),
    );
    expect(outcomes.filter((each) => each.endsWith('broken'))).toEqual([]);
    const outcomeOf = (step: string, rule: string) =>
      stepOf(judged, step).verdicts.find((verdict) => verdict.rule === rule)?.outcome;
    expect(outcomeOf('Respect Retry-After', 'retry-after')).toEqual(
      against['retry-after'] ?? 'kept',
    );
    expect(outcomeOf('Retry only idempotent requests', 'safe-repetition')).toBe('kept');
    for (const step of ['Retry', 'Respect Retry-After', 'Back off exponentially', 'Add jitter']) {
      const { series } = stepOf(judged, step);
      expect([step, series.length > 0 && series.every(({ verdict }) => verdict.succeeded)]).toEqual(
        [step, true],
      );
    }
  });
}

test('the plans are the steps of the guide', () => {
  const guide = readFileSync(new URL('../../docs/retry-like-a-professional.md', import.meta.url));
  const headings = [...guide.toString().matchAll(/^## \d\. (.+)$/gm)].map(([, name]) => name);
  const names = guidePlans.filter(({ isEndless }) => !isEndless).map(({ name }) => name);
  expect(names).toEqual(headings);
});
