/** Runs of the test plan for receivers: their deliveries, one case after the other, and the responses. */

import type { JsonObject } from '#base/json-object.js';
import { HttpError } from '#http/http-error.js';
import type { DeliveryScheme } from '#kit/deliveries/schemes.js';
import {
  correctedOutcome,
  type ReportedStep,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import { type RuleOutcome, type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import {
  newEventId,
  publishTo,
  type Subscription,
  subscriptionsKey,
  subscriptionsSpace,
  type TestPart,
  type WaitingEvent,
  waitingSpace,
  watcherId,
} from '#state/events/publish-event.js';
import type { Sandbox, Transaction } from '#state/state.js';
import { idsOf } from '../model/envelopes.js';
import { isSuccess } from '../model/queue.js';
import { appliesTo, type CaseName, caseNames, caseOf, type Part, receiverCases } from './cases.js';
import type { Finding, Response, Seen, Written } from './judge-case.js';

export const reportedOutcomes = ['kept', 'broken'] as const;

export interface Step extends ReportedStep<RuleOutcome> {
  /** By the number of the part. */
  readonly responses?: Readonly<Record<number, Response & { readonly signedAt: number }>>;
  /** Ids of the events, by the number of the part. */
  readonly events?: readonly string[];
}

export interface Run extends TestRun<Step> {
  readonly cases: readonly CaseName[];
  readonly subscription: string;
  readonly scheme: DeliveryScheme;
  readonly type: string;
  readonly data: JsonObject;
  /** The case whose deliveries were published last. */
  readonly current?: CaseName;
}

const unknown = {
  run: 'Unknown run in this sandbox; each expires after a day. Start one with POST /api/webhooks/receiver-plan/runs.',
  case: `Unknown case. Use ${caseNames.join(', ')}.`,
};

export const runs: TestRuns<Run> = {
  space: { name: 'receiver-test-runs', maxKeys: 20 },
  unknown: (what) => new HttpError(404, unknown[what]),
};

/** Watches the records of the sandbox, because a receiver may write one for each event. */
export function watchRecords(view: Transaction): void {
  const list = view.read(subscriptionsSpace, subscriptionsKey) ?? [];
  const watcher: Subscription = {
    ...{ id: watcherId, events: ['*'], source: 'records', scheme: 'standard-webhooks' },
    ...{ name: null, secrets: [], createdAtMs: view.nowMs },
    ...{ retrySchedule: [], disableAfterFailures: 1 },
  };
  const others = list.filter(({ id }) => id !== watcherId);
  view.write(subscriptionsSpace, subscriptionsKey, [...others, watcher]);
  view.write(waitingSpace, watcherId, undefined);
}

/** Publishes the first case of a run. */
export async function startRun(sandbox: Sandbox, id: string): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  await sandbox.transact((view) => {
    watchRecords(view);
    publishNext(view, id, nowSeconds);
  });
}

/** Notes the response to a part, and publishes what follows. */
export function noteResponse(
  view: Transaction,
  { run: id, case: name, part }: TestPart,
  response: Response & { readonly signedAt: number },
  nowSeconds: number,
): void {
  const run = view.read(runs.space, id);
  const step = run?.steps[name];
  if (run === undefined || step === undefined) return;
  const responses = { ...step.responses, [part]: response };
  write(view, id, { ...run, steps: { ...run.steps, [name]: { ...step, responses } } });
  publishNext(view, id, nowSeconds);
}

function write(view: Transaction, id: string, run: Run): void {
  view.write(runs.space, id, run, { expiresAtMs: run.endsAtMs });
}

/** Publishes the next part of the case, or the next case, once all that was published has a response. */
function publishNext(view: Transaction, id: string, nowSeconds: number): void {
  const run = view.read(runs.space, id);
  if (run === undefined) return;
  const { current } = run;
  const step = current && run.steps[current];
  const { events = [], responses = {} } = step ?? {};
  if (Object.keys(responses).length < events.length) return;
  const isOver = current !== undefined && events.length === receiverCases[current].parts.length;
  const left = run.cases.slice(current === undefined ? 0 : run.cases.indexOf(current) + 1);
  const next =
    isOver || current === undefined ? left.find((each) => appliesTo(each, run.scheme)) : current;
  if (next !== undefined) publishParts(view, { id, run }, next, nowSeconds);
}

/** An earlier signature is sent again only while no receiver can call it old. */
const maxReplaySeconds = 60;

/** Publishes the next part of a case, with those that are sent together with it. */
function publishParts(
  view: Transaction,
  { id, run }: { readonly id: string; readonly run: Run },
  name: CaseName,
  nowSeconds: number,
): void {
  const step = run.steps[name] ?? {};
  const parts: readonly Part[] = receiverCases[name].parts;
  const events = [...(step.events ?? [])];
  do {
    const part = events.length;
    const { isSameEvent, isRetry, isParallel, type = run.type, data } = parts[part] as Part;
    const event = isSameEvent ? (events.at(-1) ?? newEventId()) : newEventId();
    events.push(event);
    const before = step.responses?.[part - 1]?.signedAt ?? 0;
    const isReplay = isSameEvent && !isRetry && nowSeconds - before <= maxReplaySeconds;
    publishTo(view, run.subscription, {
      ...{ source: 'test', type, id: event },
      object: `${id}${isParallel ? `/${part}` : ''}`,
      json: JSON.stringify({ ...objectOf(run, name), ...data }),
      test: { run: id, case: name, part, ...(isReplay && { signedAt: before }) },
    });
  } while (parts[events.length]?.isParallel);
  write(view, id, {
    ...run,
    current: name,
    steps: { ...run.steps, [name]: { ...step, events } },
  });
}

/** Each case has another object, so that no case depends on another. */
function objectOf({ data }: Run, name: CaseName): JsonObject {
  const { id = 'order' } = data;
  return { version: 1, note: 'café', ...data, id: `${id}_${name.replaceAll('-', '_')}` };
}

const pageEntries = 50;
const maxWatched = 2000;

/** Returns what the receiver wrote in the sandbox about each case of a run, in order. */
export async function writtenIn(
  sandbox: Sandbox,
  { steps }: Run,
): Promise<ReadonlyMap<string, readonly Written[]>> {
  const wanted = Object.entries(steps).flatMap(([name, step]) =>
    (step?.events ?? []).flatMap((event, part) =>
      // The first part has the id of a repeated event.
      step?.events?.indexOf(event) === part
        ? idsOf(event).map((each) => ({ name, part, id: `"${each}"` }))
        : [],
    ),
  );
  const found = new Map<string, Written[]>();
  const log = sandbox.log(waitingSpace, watcherId);
  for (let at = 0, count = 0; count < maxWatched; count += pageEntries) {
    const entries = await log.after(at, pageEntries);
    for (const { item, bytes } of entries) noteEntry(found, wanted, item, String(bytes));
    at = entries.at(-1)?.sequence ?? at;
    if (entries.length < pageEntries) break;
  }
  return found;
}

function noteEntry(
  found: Map<string, Written[]>,
  wanted: readonly { readonly name: string; readonly part: number; readonly id: string }[],
  { type, object }: WaitingEvent,
  text: string,
): void {
  for (const { name, part, id } of wanted) {
    if (!text.includes(id)) continue;
    const written = { part, isCreated: type.endsWith('.created'), object };
    found.set(name, [...(found.get(name) ?? []), written]);
  }
}

const notReached: Finding = {
  outcome: 'not-reached',
  says: 'The delivery waits.',
  isCertain: true,
};

/** Judges a case of a run. */
export function findingOf(
  name: CaseName,
  run: Run | undefined,
  written: ReadonlyMap<string, readonly Written[]>,
): Finding & { readonly observed: RuleOutcome; readonly waits: boolean } {
  const {
    level,
    parts,
    judge,
    absentBecause = '',
  } = caseOf(name) as NonNullable<ReturnType<typeof caseOf>>;
  const step = run?.steps[name] ?? {};
  const responses = Object.values(step.responses ?? {});
  const isAbsent = run !== undefined && !appliesTo(name, run.scheme);
  const waits = !isAbsent && responses.length < parts.length;
  const finding = isAbsent
    ? { ...notReached, says: absentBecause }
    : waits
      ? notReached
      : judge({
          ...{ level, responses, written: written.get(name) ?? [] },
          acceptsValid: acceptsValid(run),
        } satisfies Seen);
  const outcome = correctedOutcome(step, finding.outcome, finding.isCertain ?? false);
  return { ...finding, outcome, observed: finding.outcome, waits };
}

function acceptsValid(run: Run | undefined): boolean | undefined {
  const { status } = run?.steps.valid?.responses?.[0] ?? {};
  return status == null ? undefined : isSuccess(status);
}

/** Returns the outcome in the form of every judge. */
export function verdictOf(name: CaseName, { outcome, decidedBy }: Finding): Verdict {
  const { level, section, rightClient: hint } = receiverCases[name];
  const verdict = verdictOn('receivers', { rule: name, level, section, hint }, []);
  return { ...verdict, outcome, ...(outcome === 'unclear' && decidedBy && { decidedBy }) };
}
