/** Tests a receiver with the plan of the service, and shows the result. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, Follower, type Following } from './follow.js';
import type { ForwardResult } from './forward.js';
import { type Options, UsageError } from './options.js';

export interface Step {
  readonly name: string;
  readonly outcome: string;
  readonly evidence: string;
  readonly rightReceiver: string;
  readonly decidedBy?: string;
  /** Whether deliveries of the case are to come. */
  readonly waits: boolean;
}

/** A test ends after a minute without the service, because CI would wait for hours. */
const mostFailures = 24;
const planPath = '/api/webhooks/receiver-plan/runs';

/** Returns the steps of the run. Throws a UsageError if the receiver cannot be reached. */
export async function verifyReceiver(
  { type, data, cases, settleMs }: Options,
  following: Omit<Following, 'onResult'>,
  subscription: string,
): Promise<readonly Step[]> {
  const { client, say, stopping } = following;
  const started = await client.demand('POST', planPath, { subscription, type, data, cases });
  const path = `${planPath}/${started.headers.get('location')?.split('/').at(-1)}`;
  const begun: readonly Step[] = started.json;
  // A right delivery is always the first.
  const names = [...new Set(['valid', ...begun.map(({ name }) => name)])];
  const stop = new AbortController();
  let unreachable: string | undefined;
  const onResult = (delivery: Delivery, { status, ms, error = '' }: ForwardResult) => {
    const { case: name = '' } = delivery;
    const place = `${names.indexOf(name) + 1} of ${names.length}`;
    say(`${place.padStart(8)}  ${name.padEnd(20)} ${status ?? error}  ${ms} ms`);
    if (name !== 'valid' || status !== null || error === 'timeout') return;
    unreachable = error;
    stop.abort();
  };
  const ending = { stopping: AbortSignal.any([stopping, stop.signal]), mostFailures };
  // Nothing else would notice the end after the last report.
  const onReport = async () => {
    const response = await client.insist('GET', path, undefined, ending.stopping);
    const steps: readonly Step[] = response?.status === 200 ? response.json : [];
    if (!steps.some(({ waits }) => waits)) stop.abort();
  };
  await new Follower({ ...following, ...ending, onResult, onReport }, subscription).run();
  if (unreachable !== undefined)
    throw new UsageError(`The receiver does not respond: ${unreachable}.`);
  await sleep(settleMs, undefined, { signal: stopping }).catch(() => {});
  if (stopping.aborted) throw new UsageError('The test was stopped before its end.');
  return (await client.demand('GET', path)).json;
}

export const count = (steps: readonly Step[], ...names: string[]): number =>
  steps.filter(({ outcome }) => names.includes(outcome)).length;

export function tableOf(steps: readonly Step[]): string {
  const rows = steps.flatMap(({ name, outcome, evidence, rightReceiver, decidedBy }) => {
    const row = `${outcome.padEnd(14)}  ${name.padEnd(20)}  ${evidence}`;
    const isWrong = outcome === 'broken' || outcome === 'against-advice';
    const hint = isWrong ? rightReceiver : outcome === 'unclear' ? decidedBy : undefined;
    return hint === undefined ? [row] : [row, `${' '.repeat(16)}→ ${hint}`];
  });
  const names = ['kept', 'broken', 'against-advice', 'unclear', 'not-reached'];
  const counts = names.map((name) => `${count(steps, name)} ${name}`);
  return [...rows, '', counts.join(', ')].join('\n');
}

/** Evidence and hints are printable; only the characters of markup are escaped. */
const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`).replace(/[^\x20-\ud7ff]/g, '?');

function testCase({ name, outcome, evidence, rightReceiver, decidedBy }: Step): string {
  const message = xml(`${outcome}: ${evidence}`);
  const inner =
    outcome === 'broken'
      ? `<failure message="${message}">${xml(rightReceiver)}</failure>`
      : outcome === 'unclear' || outcome === 'not-reached'
        ? `<skipped message="${message}">${xml(decidedBy ?? '')}</skipped>`
        : `<system-out>${message}</system-out>`;
  return `    <testcase classname="receiver" name="${xml(name)}">${inner}</testcase>`;
}

/** Returns the steps as JUnit XML: only broken cases are failures. */
export function junitOf(steps: readonly Step[]): string {
  const skipped = count(steps, 'unclear', 'not-reached');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="webhook receiver" tests="${steps.length}" failures="${count(steps, 'broken')}" skipped="${skipped}">`,
    ...steps.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
