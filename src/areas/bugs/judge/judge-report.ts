/** Judges a report: replays its request with and without defects, each time on a copy. */

import { allDefects } from '#defects/catalogue/all-defects.js';
import { defectsIn } from '#defects/hunts-in-state.js';
import type { Request } from '#http/exchange.js';
import type { Hunt } from '#kit/sandbox/hunts-space.js';
import type { Sandboxes } from '#kit/services.js';
import { SandboxSnapshot } from '#state/copy/sandbox-snapshot.js';
import { decide, type Judgement, type Suspect, undecided } from './decide.js';
import { differencesOf, type Outcome, withoutVolatile } from './differences.js';
import { type DescribedRequest, type Report, readReport } from './read-report.js';
import { NoReplay, outcomeOf, type Replaying } from './replay-report.js';
import type { Statements } from './statement.js';

export async function judgeReport(
  sandboxes: Sandboxes,
  request: Request,
  hunt: Hunt,
  report: Report,
  statements: Statements,
): Promise<Judgement> {
  const described = readReport(request, report);
  const obstacle = obstacleOf(described);
  if (obstacle !== undefined) return undecided(obstacle);
  const name = endpointOf(sandboxes, described);
  const isEarlier = isStoredEarlier(hunt, described);
  if (!changedEndpoints.has(name)) return isEarlier ? earlierCause : noBugHere;
  const suspects = defectsIn(hunt.bugs).filter(({ endpoints }) => endpoints.includes(name));
  await sandboxes.dueWork.settle(request.sandbox);
  const snapshot = await SandboxSnapshot.of(request.sandbox);
  const trial = { sandboxes, request, described, hunt, statements, suspects, isEarlier };
  const judged = await judgeOn(snapshot, trial);
  if (judged.bug !== undefined || suspects.length === 0) return judged;
  // The reported request may have changed the sandbox, so that it has another effect now.
  const before = await judgeOn(snapshot.asPristine(), trial);
  return before.bug !== undefined || judged.verdict === 'not a bug' ? before : judged;
}

interface Trial extends Replaying {
  readonly hunt: Hunt;
  readonly statements: Statements;
  /** Whether an earlier request has met a bug that changed what this one may show. */
  readonly isEarlier: boolean;
}

async function judgeOn(snapshot: SandboxSnapshot, trial: Trial): Promise<Judgement> {
  const { suspects } = trial;
  const outcomeWith = (bugs: readonly string[]) => outcomeOf(trial, snapshot, bugs);
  try {
    const right = await outcomeWith([]);
    if (suspects.length === 0) return trial.isEarlier ? earlierCause : rightBehaviour;
    const all = await outcomeWith(suspects.map(({ id }) => id));
    const outcomes: Outcome[] = [];
    for (const { id } of suspects) {
      outcomes.push(suspects.length === 1 ? all : await outcomeWith([id]));
    }
    // Last, so that a member that changes with time has changed if it did for a defect.
    const volatile = differencesOf(right, await outcomeWith([]));
    const shown = suspects.flatMap((defect, index): readonly Suspect[] => {
      const outcome = outcomes[index] ?? all;
      const paths = withoutVolatile(differencesOf(right, outcome), volatile);
      return paths.length > 0 ? [{ defect, outcome, paths }] : [];
    });
    const decided = decide({ ...trial, right, all, shown });
    return decided ?? (trial.isEarlier ? earlierCause : rightBehaviour);
  } catch (error) {
    if (error instanceof NoReplay) return undecided(error.message);
    throw error;
  }
}

const rightBehaviour: Judgement = {
  verdict: 'not a bug',
  reason: 'The replayed request behaves as documented.',
};

const noBugHere: Judgement = {
  verdict: 'not a bug',
  reason:
    'No bug changes this endpoint. GET /guides/explore-and-report lists those that can have one.',
};

const earlierCause = undecided(
  'The replayed request behaves as documented, but an earlier request may have stored something wrong. If so, report the request that stored it.',
);

const changedEndpoints = new Set(allDefects.flatMap(({ endpoints }) => endpoints));

const endpointOf = ({ replays }: Sandboxes, { method, inside }: DescribedRequest) =>
  `${method === 'HEAD' ? 'GET' : method} ${replays.routeOf(method, inside)}`;

function isStoredEarlier({ met }: Hunt, { inside }: DescribedRequest): boolean {
  const path = inside.toLowerCase();
  return defectsIn(met).some(({ stores }) =>
    stores?.some((start) => path.startsWith(start.toLowerCase())),
  );
}

const streams =
  /^\/(?:api\/sse|api\/ws|ws|api\/http\/(?:stream|drip|chunks))(?:[/?]|$)|^\/api\/[^/?]+\/.*\/events(?:\?|$)/i;

/** Returns why a request cannot be replayed. */
function obstacleOf({ inside, headers }: DescribedRequest): string | undefined {
  const query = new URLSearchParams(inside.slice(inside.indexOf('?') + 1));
  if (inside.includes('?') && ['error', 'delay', 'wait'].some((name) => query.has(name))) {
    return 'Requests with ?error=, ?delay= or ?wait= are not replayed. Report one without.';
  }
  if (/respond-async|wait/i.test(headers.prefer ?? '')) {
    return 'Requests with Prefer: respond-async or wait are not replayed. Report one without.';
  }
  const isStream = streams.test(inside) || /event-stream/i.test(headers.accept ?? '');
  return isStream ? 'Streams are not replayed.' : undefined;
}
