/** An exercise for cookie jars: cookies to keep or not, addresses to visit, and a verdict (RFC 6265bis). */

import { coversPath, type SentCookie } from '../../../http/cookies/set-cookie.js';

/** What follows the exercise's address, in order. */
export const steps = ['start', 'deep', 'deep/er', 'deeper', 'Deep', 'deep/again'] as const;

/** Its response sets one more cookie, and ends another. */
export const turningStep = 2;

interface JarCookie {
  readonly name: string;
  /** What a jar has to know. */
  readonly rule: string;
  readonly section: string;
  /** Header values; `base` is the path of the exercise. */
  readonly set: (base: string) => readonly string[];
  /** The value it has when it comes. */
  readonly value: string;
  /** Whether it belongs to a step; the path of that begins with a slash, below the exercise. */
  readonly comesTo: (path: string, step: number) => boolean;
}

const past = 'Thu, 01 Jan 1970 00:00:00 GMT';
const future = 'Fri, 31 Dec 2100 00:00:00 GMT';
const always = () => true;
const never = () => false;
const below = (cookiePath: string) => (path: string) => coversPath(cookiePath, path);

type Row = readonly [
  name: string,
  value: string,
  /** `{}` stands for the path of the exercise. */
  attributes: string,
  comesTo: JarCookie['comesTo'],
  section: string,
  rule: string,
];

const rows: readonly Row[] = [
  ['plain', '1', 'Path={}', always, '5.1.4', 'A cookie is sent to its path and all below it.'],
  [
    'deep',
    '1',
    'Path={}/deep',
    below('/deep'),
    '5.1.4',
    'A path is matched by whole segments and in its letter case.',
  ],
  [
    'slash',
    '1',
    'Path={}/deep/',
    below('/deep/'),
    '5.1.4',
    'A path with a slash at the end does not match the path without.',
  ],
  [
    'lasting',
    '1',
    `Path={}; Max-Age=600; Expires=${past}`,
    always,
    '5.6.2',
    'Max-Age beats Expires.',
  ],
  [
    'zero',
    '1',
    `Path={}; Max-Age=0; Expires=${future}`,
    never,
    '5.6.2',
    'Max-Age of zero deletes a cookie at once.',
  ],
  [
    'expired',
    '1',
    `Path={}; Expires=${past}`,
    never,
    '5.6.1',
    'A cookie whose Expires is over is not kept.',
  ],
  [
    'foreign',
    '1',
    'Path={}; Domain=elsewhere.invalid',
    never,
    '5.7',
    'A host sets no cookies for others.',
  ],
  ['__Host-loose', '1', 'Path={}', never, '5.7', '__Host- demands Secure and Path=/.'],
  ['unsafe', '1', 'Path={}; SameSite=None', never, '5.7', 'SameSite=None demands Secure.'],
  ['quoted', '"a b"', 'Path={}', always, '5.6', 'Quotes are part of the value.'],
  [
    'twice',
    'second',
    'Path={}',
    always,
    '5.7',
    'The same name, domain and path is the same cookie: the last wins.',
  ],
  [
    'forgotten',
    '1',
    'Path={}',
    (_path, step) => step <= turningStep,
    '5.7',
    'A cookie that is set with an end in the past is gone.',
  ],
];

/** The dozen that the exercise begins with. */
const atStart: readonly JarCookie[] = rows.map(
  ([name, value, attributes, comesTo, section, rule]) => ({
    name,
    value,
    rule,
    section,
    comesTo,
    set: (base) => {
      const header = (each: string) => `${name}=${each}; ${attributes.replace('{}', base)}`;
      return name === 'twice' ? [header('first'), header(value)] : [header(value)];
    },
  }),
);

const onTheWay: JarCookie = {
  name: 'default',
  value: '1',
  rule: 'Without Path, a cookie belongs to the folder of the address that set it.',
  section: '5.1.4',
  set: () => ['default=1'],
  comesTo: (path, step) => step > turningStep && coversPath('/deep', path),
};

const all = [...atStart, onTheWay];

export function startingCookies(base: string): string[] {
  return atStart.flatMap(({ set }) => set(base));
}

/** What the response at {@link turningStep} sets. */
export function turningCookies(base: string): string[] {
  return [...onTheWay.set(base), `forgotten=; Path=${base}; Max-Age=0; Expires=${past}`];
}

/** What came at each step that was visited, by its place. */
export type Visits = Readonly<Record<number, readonly SentCookie[]>>;

/** Of what came, only what the exercise is about. */
export function ofExercise(cookies: readonly SentCookie[]): SentCookie[] {
  const names = new Set(all.map(({ name }) => name));
  return cookies
    .filter(({ name }) => names.has(name))
    .slice(0, 2 * all.length)
    .map(({ name, value }) => ({ name, value: value.slice(0, 50) }));
}

/** The first step that was not visited; as many as there are steps once all were. */
export function nextStep(visits: Visits): number {
  const place = steps.findIndex((_step, index) => visits[index] === undefined);
  return place < 0 ? steps.length : place;
}

export interface CookieVerdict {
  readonly name: string;
  readonly rule: string;
  readonly specification: string;
  /** Null while steps are left to visit. */
  readonly isRight: boolean | null;
  readonly visits: VisitVerdict[];
}

export interface VisitVerdict {
  readonly step: string;
  readonly expected: 'comes' | 'stays away';
  /** Null where the step was not visited. */
  readonly came: readonly string[] | null;
  readonly isRight: boolean | null;
}

export function judgeJar(visits: Visits): CookieVerdict[] {
  const isComplete = nextStep(visits) === steps.length;
  return all.map((cookie) => {
    const judged = steps.map((step, place) => judgeVisit(cookie, step, place, visits[place]));
    const isWrong = judged.some(({ isRight }) => isRight === false);
    return {
      name: cookie.name,
      rule: cookie.rule,
      specification: `RFC 6265bis, section ${cookie.section}`,
      isRight: isWrong ? false : isComplete ? true : null,
      visits: judged,
    };
  });
}

function judgeVisit(
  { name, value, comesTo }: JarCookie,
  step: string,
  place: number,
  cookies: readonly SentCookie[] | undefined,
): VisitVerdict {
  const isExpected = comesTo(`/${step}`, place);
  const expected = isExpected ? 'comes' : 'stays away';
  if (cookies === undefined) return { step, expected, came: null, isRight: null };
  const came = cookies.filter((each) => each.name === name).map((each) => each.value);
  const isRight = isExpected ? came.length === 1 && came[0] === value : came.length === 0;
  return { step, expected, came, isRight };
}
