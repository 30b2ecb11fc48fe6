/** Decides about a report by the outcomes of its replays. */

import type { Defect } from '#defects/defect.js';
import type { Hunt } from '#kit/sandbox/hunts-space.js';
import type { Outcome } from './differences.js';
import { absent, type Place, shows, valueAt } from './shows.js';
import type { Statements } from './statement.js';

export const verdicts = ['found', 'already found', 'not a bug', 'cannot tell'] as const;

export interface Judgement {
  readonly verdict: (typeof verdicts)[number];
  readonly reason: string;
  readonly bug?: Defect;
}

/** A defect that changes the outcome of the reported request. */
export interface Suspect {
  readonly defect: Defect;
  readonly outcome: Outcome;
  readonly paths: readonly string[];
}

interface Evidence {
  readonly hunt: Hunt;
  readonly statements: Statements;
  readonly right: Outcome;
  /** With all defects of the endpoint, as the tester sees it. */
  readonly all: Outcome;
  readonly shown: readonly Suspect[];
}

export const undecided = (reason: string): Judgement => ({ verdict: 'cannot tell', reason });

/** Returns `undefined` if the request behaves as documented, as far as the report says. */
export function decide(evidence: Evidence): Judgement | undefined {
  const { hunt, statements, right, all, shown } = evidence;
  if (shown.length === 0) return undefined;
  const proved = shown.filter((suspect) => isProved(evidence, suspect));
  const next = proved.find(({ defect }) => !hunt.found.includes(defect.id));
  if (next !== undefined) {
    return { verdict: 'found', reason: reasonOf(right, next), bug: next.defect };
  }
  const [known] = proved;
  if (known !== undefined) return alreadyFound(known.defect);
  const places = shown.flatMap((suspect) => placesOf(evidence, suspect));
  const { expected, actual } = statements;
  if (isAboutStatus(evidence, places)) return undefined;
  const isActual = places.some(({ seen }) => seen.some((place) => shows(actual, place)));
  const isExpected = places.some((each) => shows(expected, each.documented));
  if (isExpected) {
    return undecided(
      `The replay contradicts actual: its status is ${all.status}. Send the request again, and report a status, header or member of its response.`,
    );
  }
  return undecided(
    isActual
      ? 'The response is not as documented, but expected is not documented either.'
      : 'The report names no status, header or member that differs from the documented response.',
  );
}

export const alreadyFound = (bug: Defect): Judgement => ({
  verdict: 'already found',
  reason: 'You have already found this bug.',
  bug,
});

interface DifferingPlace {
  readonly documented: Place;
  /** With only this defect, and with all defects of the endpoint. */
  readonly seen: readonly Place[];
}

/** Beyond these, a number or a short word could stand for many places. */
const fewPlaces = 3;

/** No tester can know an entity tag before it is sent. */
const isOpaque = ([part, name]: readonly string[], value: unknown) =>
  part === 'headers' && name === 'etag' && value !== absent;

/** Each replay of a creation has the next id. */
const isNewId = (names: readonly string[]) =>
  ['body.id', 'headers.location'].includes(names.join('.'));

/** Returns where a defect shows: in the response, else in the later response that shows what was stored. */
function placesOf({ right, all }: Evidence, { outcome, paths }: Suspect): DifferingPlace[] {
  const direct = paths.filter((path) => !/^(?:state|later)\b/.test(path));
  const chosen = direct.length > 0 ? direct : paths.filter((path) => path.startsWith('later.'));
  const isOfFew = chosen.length <= fewPlaces;
  return chosen.map((path) => {
    const names = path.split('.');
    const [documented, seen, together] = [right, outcome, all].map((each) => valueAt(each, names));
    const inside = direct.length > 0 ? names : names.slice(1);
    const place = (value: unknown, other: unknown) => {
      return { names: inside, value, other, isOfFew, isOpaque: false };
    };
    return {
      documented: { ...place(documented, seen), isOpaque: isOpaque(names, documented) },
      seen: [seen, together].map((value) => ({
        ...place(value, documented),
        isOpaque: outcome.status === 201 && isNewId(names),
      })),
    };
  });
}

/** A report is proved if it names, for one place, the documented value and the one of the replay. */
function isProved(evidence: Evidence, suspect: Suspect): boolean {
  const { expected, actual } = evidence.statements;
  const places = placesOf(evidence, suspect);
  if (isOtherStatus(evidence, suspect)) return false;
  return places.some(
    ({ documented, seen }) =>
      shows(expected, documented) && seen.some((place) => shows(actual, place)),
  );
}

/** Whether the statements have parts with a status that the replay does not have. */
function isOtherStatus({ statements, right, all }: Evidence, { outcome, paths }: Suspect): boolean {
  const { expected, actual } = statements;
  if (paths.every((path) => /^(?:state|later)\b/.test(path))) return false;
  const isOther = ({ parts, text }: typeof actual, statuses: readonly number[]) =>
    text === undefined && parts.status !== undefined && !statuses.includes(parts.status);
  return isOther(expected, [right.status]) || isOther(actual, [all.status, outcome.status]);
}

/** Whether the report is only about the status, which is as documented. */
function isAboutStatus({ statements, right, all }: Evidence, places: readonly DifferingPlace[]) {
  const { expected, actual } = statements;
  const isOnlyStatus = [expected, actual].every(
    ({ parts }) =>
      parts.status !== undefined && parts.headers === undefined && parts.body === undefined,
  );
  const isSame = right.status === all.status && actual.parts.status === all.status;
  const isOther = expected.parts.status !== actual.parts.status;
  return isOnlyStatus && isSame && isOther && places.length > 0;
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
  if (part === 'later') return 'what a later request shows';
  return part === 'state' ? 'what it stores' : 'the body';
}
