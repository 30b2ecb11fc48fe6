import { expect, test } from 'vitest';
import {
  jarVerdicts,
  judgeJar,
  nextStep,
  ofExercise,
  startingCookies,
  steps,
  turningCookies,
  type Visits,
} from './jar.js';

const cookie = (text: string) => {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  return { name, value };
};
const plain = ['plain=1', 'lasting=1', 'quoted="a b"', 'twice=second'];

/** Cookies from a correct client. */
const right = [
  [...plain, 'forgotten=1'],
  [...plain, 'forgotten=1', 'deep=1'],
  [...plain, 'forgotten=1', 'deep=1', 'slash=1'],
  plain,
  plain,
  [...plain, 'deep=1', 'slash=1', 'default=1'],
];
const visitsOf = (sent: readonly (readonly string[])[]): Visits =>
  Object.fromEntries(
    sent.map((pairs, index) => [index, { sent: pairs.map(cookie), requestId: `r${index}` }]),
  );

const wrongOnes = (visits: Visits) =>
  judgeJar(visits)
    .filter(({ isRight }) => isRight === false)
    .map(({ name }) => name);

test('a dozen cookies are set, one of them twice', () => {
  const names = startingCookies('/base').map((header) => header.split('=')[0]);
  expect(new Set(names).size).toBe(12);
  expect(names).toHaveLength(13);
  for (const header of startingCookies('/base')) expect(header).toContain('Path=/base');
  expect(turningCookies('/base')).toHaveLength(2);
});

test('a correct client is right about every cookie', () => {
  const verdicts = judgeJar(visitsOf(right));
  expect(verdicts.map(({ isRight }) => isRight)).toEqual(verdicts.map(() => true));
  expect(verdicts).toHaveLength(13);
});

test('while steps remain, no cookie is right yet, but wrong ones are known', () => {
  const begun = right.slice(0, 2);
  expect(judgeJar(visitsOf(begun)).every(({ isRight }) => isRight === null)).toBe(true);
  expect(wrongOnes(visitsOf([[...plain, 'forgotten=1', 'expired=1']]))).toEqual(['expired']);
  expect(nextStep(visitsOf(begun))).toBe(2);
  expect(nextStep(visitsOf(right))).toBe(steps.length);
});

/** Mistakes of clients, each as a change of one step. */
test.each([
  ['sends no cookies', 0, () => [], ['plain', 'lasting', 'quoted', 'twice', 'forgotten']],
  ['matches paths by their characters', 3, (all) => [...all, 'deep=1'], ['deep']],
  ['ignores letter case', 4, (all) => [...all, 'deep=1'], ['deep']],
  ['ignores a slash at the end', 1, (all) => [...all, 'slash=1'], ['slash']],
  ['keeps expired cookies', 2, (all) => [...all, 'expired=1', 'zero=1'], ['zero', 'expired']],
  [
    'keeps the first of two',
    0,
    (all) => all.map((each) => each.replace('second', 'first')),
    ['twice'],
  ],
  ['keeps both', 0, (all) => [...all, 'twice=first'], ['twice']],
  ['strips quotes', 0, (all) => all.map((each) => each.replaceAll('"', '')), ['quoted']],
  ['never deletes cookies', 5, (all) => [...all, 'forgotten=1'], ['forgotten']],
  ['ignores the default path', 3, (all) => [...all, 'default=1'], ['default']],
  [
    'ignores prefixes',
    0,
    (all) => [...all, '__Host-loose=1', 'unsafe=1'],
    ['__Host-loose', 'unsafe'],
  ],
] satisfies [string, number, (all: readonly string[]) => string[], string[]][])(
  'a client that %s',
  (_name, place, change, expected) => {
    const sent = right.map((pairs, index) => (index === place ? change(pairs) : pairs));
    expect(wrongOnes(visitsOf(sent))).toEqual(expected);
  },
);

test('other cookies are not stored, nor more than the exercise needs', () => {
  const many = Array.from({ length: 100 }, () => cookie(`plain=${'x'.repeat(100)}`));
  const kept = ofExercise([cookie('other=1'), ...many]);
  expect(kept).toHaveLength(26);
  expect(kept[0]).toEqual({ name: 'plain', value: 'x'.repeat(50) });
});

test('a client that ignores a cookie is only against advice', () => {
  const sent = right.map((pairs) => pairs.filter((pair) => pair !== 'plain=1'));
  const [plainVerdict, deepVerdict] = jarVerdicts(visitsOf(sent));
  expect(plainVerdict).toMatchObject({
    level: 'should',
    outcome: 'against-advice',
    section: 'RFC 6265bis section 5.3, Ignoring Set-Cookie Header Fields',
  });
  expect(deepVerdict).toMatchObject({ level: 'must', outcome: 'kept' });
  const none = jarVerdicts(visitsOf(right.map(() => []))).map(({ outcome }) => outcome);
  expect(none).not.toContain('broken');
});

test('the same verdicts have the requests as evidence', () => {
  const outcomes = (visits: Visits) => new Set(jarVerdicts(visits).map(({ outcome }) => outcome));
  expect(outcomes({})).toEqual(new Set(['not-reached']));
  expect(outcomes(visitsOf(right.slice(0, 2)))).toEqual(new Set(['not-reached']));
  expect(outcomes(visitsOf(right))).toEqual(new Set(['kept']));
  const sent = right.map((pairs, index) => (index === 3 ? [...pairs, 'deep=1'] : pairs));
  expect(jarVerdicts(visitsOf(sent))[1]).toEqual({
    id: 'cookie-jar-deep',
    rule: 'deep',
    level: 'must',
    outcome: 'broken',
    section: 'RFC 6265bis section 5.1.4, Paths and Path-Match',
    evidence: ['r3'],
    hint: 'A path is matched by whole segments and in its letter case.',
  });
});
