/** An exercise for cookie jars: cookies to store or drop, URLs to visit, and a verdict (RFC 6265bis). */

import { coversPath, type SentCookie } from '#http/cookies/set-cookie.js';
import { cite, type standards } from '#kit/verdict/citations.js';
import { type JudgedRule, type Verdict, verdictOn } from '#kit/verdict/verdict.js';

/** The paths to visit below the exercise, in order. */
export const steps = ['start', 'deep', 'deep/er', 'deeper', 'Deep', 'deep/again'];

/** The response to this step sets one more cookie, and deletes another. */
export const turningStep = 2;

const past = 'Thu, 01 Jan 1970 00:00:00 GMT';
const future = 'Fri, 31 Dec 2100 00:00:00 GMT';
const always = () => true;
const never = () => false;
const below = (cookiePath: string) => (path: string) => coversPath(cookiePath, path);

type Section = keyof (typeof standards)['RFC 6265bis']['sections'];

type Row = readonly [
  /** `{}` means the path of the exercise. */
  setCookie: string,
  /** Whether a step gets the cookie. The path begins with a slash, below the exercise. */
  comesTo: (path: string, step: number) => boolean,
  section: Section,
  /** The rule that the cookie tests. */
  rule: string,
];

const rows: readonly Row[] = [
  ['plain=1; Path={}', always, '5.1.4', 'A cookie is sent to its path and all paths below it.'],
  [
    'deep=1; Path={}/deep',
    below('/deep'),
    '5.1.4',
    'A path is matched by whole segments and in its letter case.',
  ],
  [
    'slash=1; Path={}/deep/',
    below('/deep/'),
    '5.1.4',
    'A path with a slash at the end does not match the path without it.',
  ],
  [`lasting=1; Path={}; Max-Age=600; Expires=${past}`, always, '5.6.2', 'Max-Age beats Expires.'],
  [
    `zero=1; Path={}; Max-Age=0; Expires=${future}`,
    never,
    '5.6.2',
    'Max-Age of zero deletes a cookie at once.',
  ],
  [
    `expired=1; Path={}; Expires=${past}`,
    never,
    '5.6.1',
    'A cookie with an Expires in the past is not stored.',
  ],
  [
    'foreign=1; Path={}; Domain=elsewhere.invalid',
    never,
    '5.7',
    'A host cannot set cookies for other hosts.',
  ],
  ['__Host-loose=1; Path={}', never, '5.7', '__Host- requires Secure and Path=/.'],
  ['unsafe=1; Path={}; SameSite=None', never, '5.7', 'SameSite=None requires Secure.'],
  ['quoted="a b"; Path={}', always, '5.6', 'Quotes are part of the value.'],
  [
    'twice=second; Path={}',
    always,
    '5.7',
    'The same name, domain and path mean the same cookie: the last one wins.',
  ],
  [
    'forgotten=1; Path={}',
    (_path, step) => step <= turningStep,
    '5.7',
    'Setting a cookie with an expiry in the past deletes it.',
  ],
  [
    'default=1',
    (path, step) => step > turningStep && coversPath('/deep', path),
    '5.1.4',
    'Without Path, a cookie belongs to the directory of the URL that set it.',
  ],
];

const cookies = rows.map(([setCookie, comesTo, section, rule]) => {
  const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(setCookie) ?? [];
  return { name, value, setCookie, comesTo, section, rule };
});

/** Returns the Set-Cookie values for the start: all cookies but the default. `base` is the path of the exercise. */
export function startingCookies(base: string): string[] {
  const set = cookies.slice(0, -1).map(({ setCookie }) => setCookie.replace('{}', base));
  return set.flatMap((each) =>
    each.startsWith('twice') ? [each.replace('second', 'first'), each] : [each],
  );
}

/** Returns the Set-Cookie values for {@link turningStep}. */
export function turningCookies(base: string): string[] {
  return ['default=1', `forgotten=; Path=${base}; Max-Age=0; Expires=${past}`];
}

interface Visit {
  readonly sent: readonly SentCookie[];
  readonly requestId: string;
}

/** The visited steps, by the step's index. */
export type Visits = Readonly<Record<number, Visit>>;

/** Returns only the cookies of the exercise, truncated. */
export function ofExercise(sent: readonly SentCookie[]): SentCookie[] {
  return sent
    .filter(({ name }) => cookies.some((cookie) => cookie.name === name))
    .slice(0, 2 * cookies.length)
    .map(({ name, value }) => ({ name, value: value.slice(0, 50) }));
}

/** Returns the index of the first unvisited step; the number of steps after the last. */
export function nextStep(visits: Visits): number {
  const place = steps.findIndex((_step, index) => visits[index] === undefined);
  return place < 0 ? steps.length : place;
}

/** Returns the verdict on each cookie: `isRight` is null while steps remain. */
export function judgeJar(visits: Visits) {
  const isComplete = nextStep(visits) === steps.length;
  return cookies.map((cookie) => {
    const judged = steps.map((step, index) => judgeVisit(cookie, step, index, visits[index]?.sent));
    return {
      name: cookie.name,
      rule: cookie.rule,
      specification: `RFC 6265bis, section ${cookie.section}`,
      isRight: verdictOf(judged, isComplete),
      visits: judged,
    };
  });
}

/** The rules of the exercise, one for each cookie. */
export const jarRules: readonly JudgedRule[] = cookies.map(({ name, rule: hint, section }) => ({
  ...{ rule: name, level: 'must', section: cite('RFC 6265bis', section), hint },
}));

/**
 * Returns the same verdicts in the form of every judge. A cookie that is sent wrongly breaks a must. The
 * client may have ignored a missing cookie, which it only should not.
 */
export function jarVerdicts(visits: Visits): readonly Verdict[] {
  const isComplete = nextStep(visits) === steps.length;
  return cookies.map((cookie) => {
    const { name, rule: hint, section } = cookie;
    const judged = steps.map((step, index) => judgeVisit(cookie, step, index, visits[index]?.sent));
    const wrong = judged.filter(({ isRight }) => isRight === false);
    const isIgnored = wrong.length > 0 && wrong.every(({ came }) => came?.length === 0);
    const parts = judged.map(({ isRight }, index) => ({
      isKept: isRight && !isComplete ? null : isRight,
      requests: idsOf(visits[index]),
    }));
    const rule = isIgnored
      ? ({ level: 'should', section: cite('RFC 6265bis', '5.3') } as const)
      : ({ level: 'must', section: cite('RFC 6265bis', section) } as const);
    return verdictOn('cookie-jar', { rule: name, ...rule, hint }, parts);
  });
}

const idsOf = (visit: Visit | undefined) => (visit === undefined ? [] : [visit.requestId]);

/** False if one part is wrong; null while parts are missing. */
export function verdictOf(
  parts: readonly { readonly isRight: boolean | null }[],
  isComplete: boolean,
) {
  if (parts.some(({ isRight }) => isRight === false)) return false;
  return isComplete ? true : null;
}

function judgeVisit(
  { name, value, comesTo }: (typeof cookies)[number],
  step: string,
  index: number,
  sent: readonly SentCookie[] | undefined,
) {
  const isExpected = comesTo(`/${step}`, index);
  const expected = isExpected ? 'comes' : 'stays away';
  if (sent === undefined) return { step, expected, came: null, isRight: null };
  const values = sent.filter((each) => each.name === name).map((each) => each.value);
  const isRight = isExpected ? values.length === 1 && values[0] === value : values.length === 0;
  return { step, expected, came: values, isRight };
}
