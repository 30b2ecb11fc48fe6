/** Judges a report: replays its request with and without defects, each time on a copy. */

import { turns } from '../../../base/work-in-turns.js';
import type { Defect } from '../../../defects/defect.js';
import { defectsIn, type Hunt, setBugs } from '../../../defects/hunts-in-state.js';
import { endPlan } from '../../../faults/plan/plans-in-state.js';
import type { Request } from '../../../http/exchange.js';
import type { ReplayedResponse } from '../../../kit/replays/parse-response.js';
import type { Sandboxes } from '../../../kit/services.js';
import { SandboxCopy, type WrittenState } from '../../../state/copy/sandbox-copy.js';
import { SandboxSnapshot } from '../../../state/copy/sandbox-snapshot.js';
import { contradictionOf } from './claims.js';
import { differencesOf, type Outcome, withoutVolatile } from './differences.js';
import { type DescribedRequest, type Report, readReport } from './read-report.js';

export const verdicts = ['found', 'already found', 'not a bug', 'cannot tell'] as const;

export interface Judgement {
  readonly verdict: (typeof verdicts)[number];
  readonly reason: string;
  readonly bug?: Defect;
}

export async function judgeReport(
  sandboxes: Sandboxes,
  request: Request,
  hunt: Hunt,
  report: Report,
): Promise<Judgement> {
  const described = readReport(request, report);
  const obstacle = obstacleOf(described);
  if (obstacle !== undefined) return { verdict: 'cannot tell', reason: obstacle };
  const suspects = suspectsOf(sandboxes, hunt, described);
  if (suspects.length === 0) return rightBehaviour;
  await sandboxes.dueWork.settle(request.sandbox);
  const snapshot = await SandboxSnapshot.of(request.sandbox);
  const trial = { sandboxes, request, described, hunt, report, suspects };
  const judged = await judgeOn(snapshot, trial);
  if (judged.bug !== undefined) return judged;
  // The reported request may have changed the sandbox, so that it has another effect now.
  const before = await judgeOn(snapshot.asPristine(), trial);
  return before.bug === undefined ? judged : before;
}

interface Trial {
  readonly sandboxes: Sandboxes;
  readonly request: Request;
  readonly described: DescribedRequest;
  readonly hunt: Hunt;
  readonly report: Report;
  readonly suspects: readonly Defect[];
}

async function judgeOn(snapshot: SandboxSnapshot, trial: Trial): Promise<Judgement> {
  const { suspects } = trial;
  const outcomeWith = (bugs: readonly string[]) => outcomeOf(trial, snapshot, bugs);
  try {
    const right = await outcomeWith([]);
    const all = await outcomeWith(suspects.map(({ id }) => id));
    const outcomes: Outcome[] = [];
    for (const { id } of suspects) {
      outcomes.push(suspects.length === 1 ? all : await outcomeWith([id]));
    }
    // Last, so that a member that changes with time has changed if it did for a defect.
    const volatile = differencesOf(right, await outcomeWith([]));
    const shown = suspects.flatMap((defect, place): readonly Suspect[] => {
      const outcome = outcomes[place] ?? all;
      const paths = withoutVolatile(differencesOf(right, outcome), volatile);
      return paths.length > 0 ? [{ defect, outcome, paths }] : [];
    });
    return decide({ ...trial, right, all, shown });
  } catch (error) {
    if (error instanceof NoReplay) return { verdict: 'cannot tell', reason: error.message };
    throw error;
  }
}

interface Suspect {
  readonly defect: Defect;
  readonly outcome: Outcome;
  readonly paths: readonly string[];
}

const rightBehaviour: Judgement = {
  verdict: 'not a bug',
  reason:
    'The replayed request behaves as documented. If something stored is wrong, report the request that stored it.',
};

/** Returns why a request cannot be replayed. */
function obstacleOf({ inside, headers }: DescribedRequest): string | undefined {
  const query = new URLSearchParams(inside.slice(inside.indexOf('?') + 1));
  if (inside.includes('?') && ['error', 'delay', 'wait'].some((name) => query.has(name))) {
    return 'Requests with ?error=, ?delay= or ?wait= are not replayed. Report one without.';
  }
  if (/respond-async|wait/i.test(headers.prefer ?? '')) {
    return 'Requests with Prefer: respond-async or wait are not replayed. Report one without.';
  }
  if (/event-stream/i.test(headers.accept ?? '')) return 'Streams are not replayed.';
  return undefined;
}

function suspectsOf(
  { replays }: Sandboxes,
  { bugs }: Hunt,
  { method, inside }: DescribedRequest,
): readonly Defect[] {
  const route = replays.routeOf(method, inside);
  const name = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  return defectsIn(bugs).filter(({ endpoints }) => endpoints.includes(name));
}

interface Evidence {
  readonly hunt: Hunt;
  readonly report: Report;
  readonly right: Outcome;
  /** With all defects of the endpoint, as the tester sees it. */
  readonly all: Outcome;
  readonly shown: readonly Suspect[];
}

function decide({ hunt, report, right, all, shown }: Evidence): Judgement {
  if (shown.length === 0) return rightBehaviour;
  const allPaths = shown.flatMap(({ paths }) => paths);
  const contradiction = contradictionOf(report.actual, all, allPaths);
  const fitting = shown.filter(
    ({ outcome, paths }) =>
      contradictionOf(report.actual, outcome, paths) === undefined &&
      contradictionOf(report.expected, right, paths) === undefined,
  );
  if (fitting.length === 0 && contradiction !== undefined) {
    return {
      verdict: 'cannot tell',
      reason: `The replay contradicts actual: ${contradiction}. Send the request again, and report its response.`,
    };
  }
  if (contradictionOf(report.expected, right, allPaths) !== undefined && fitting.length === 0) {
    return {
      verdict: 'cannot tell',
      reason: 'The response is not as documented, but expected is not documented either.',
    };
  }
  const candidates = fitting.length > 0 ? fitting : shown;
  const isFound = ({ defect }: Suspect) => hunt.found.includes(defect.id);
  const next = candidates.find((each) => !isFound(each));
  if (next !== undefined) {
    return { verdict: 'found', reason: reasonOf(right, next), bug: next.defect };
  }
  const [known] = candidates;
  return {
    verdict: 'already found',
    reason: 'You have already found this bug.',
    ...(known && { bug: known.defect }),
  };
}

function reasonOf(right: Outcome, { outcome, paths }: Suspect): string {
  if (right.status !== outcome.status) {
    return `The status is ${outcome.status} instead of ${right.status}.`;
  }
  const parts = new Set(paths.map((path) => partOf(path)));
  return `The request differs from the documented behaviour in ${[...parts].slice(0, 3).join(', ')}.`;
}

function partOf(path: string): string {
  const [part, name] = path.split('.');
  if (part === 'headers') return `the header ${name}`;
  return part === 'state' ? 'what it stores' : 'the body';
}

class NoReplay extends Error {}

async function outcomeOf(
  { sandboxes: { replays }, request, described }: Trial,
  snapshot: SandboxSnapshot,
  bugs: readonly string[],
): Promise<Outcome> {
  // Each replay may be long work.
  await turns.whenFree();
  const copy = new SandboxCopy(snapshot);
  await setBugs(copy, bugs);
  await endPlan(copy);
  const response = await replays.run(request, described, copy);
  if (typeof response === 'string') throw new NoReplay(`The replay was ${endings[response]}.`);
  if (response.status === 503) {
    throw new NoReplay('The service was too busy for a replay. Try again.');
  }
  return { ...shownParts(response), state: stateOf(copy.written()) };
}

const endings = {
  'too slow': 'ended after two seconds',
  'too large': 'ended after a mebibyte',
  cut: 'cut off without a response',
};

/** Differ between responses, or follow from the body. */
const uncompared = new Set(['date', 'content-length', 'connection', 'keep-alive']);

function shownParts({ status, headers, body }: ReplayedResponse) {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (uncompared.has(name)) continue;
    byName[name] = byName[name] === undefined ? value : `${byName[name]}, ${value}`;
  }
  return { status, headers: byName, body: jsonOrText(body, byName['content-type'] ?? '') };
}

function jsonOrText(body: Buffer, type: string): unknown {
  const text = body.toString();
  if (!/[/+]json\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The replay itself writes which defects it has, and that it has no fault plan. */
function stateOf(written: WrittenState): WrittenState {
  const own = ['bug-hunts ', 'fault-plan'];
  return Object.fromEntries(
    Object.entries(written).filter(([name]) => !own.some((each) => name.startsWith(each))),
  );
}
