import { expect, test } from 'vitest';
import { type JudgedPart, type RuleLevel, verdictOn } from './verdict.js';

const hint = 'Wait.';
const ruleOf = (level: RuleLevel) => ({ rule: 'back-off', level, section: 'advice', hint });
const part = (isKept: boolean | null, ...requests: string[]): JudgedPart => ({ isKept, requests });
const open: JudgedPart = { isKept: null, requests: ['c'], decidedBy: 'A third request.' };

test.each<[string, RuleLevel, JudgedPart[], string, string[]]>([
  ['nothing', 'must', [], 'not-reached', []],
  ['requests that do not exercise the rule', 'must', [part(null, 'a')], 'not-reached', []],
  ['a kept part', 'must', [part(null, 'a'), part(true, 'b')], 'kept', ['b']],
  ['a broken part', 'must', [part(true, 'a'), open, part(false, 'b', 'c')], 'broken', ['b', 'c']],
  ['a should not followed', 'should', [part(false, 'b'), open], 'against-advice', ['b']],
  ['advice not followed', 'advice', [part(false, 'b')], 'against-advice', ['b']],
  ['an open part', 'must', [part(true, 'a'), part(null, 'b'), open], 'unclear', ['c']],
  [
    'a request in two parts',
    'must',
    [part(true, 'a', 'b'), part(true, 'b', 'c')],
    'kept',
    ['a', 'b', 'c'],
  ],
])('%s', (_name, level, parts, outcome, evidence) => {
  const decidedBy = outcome === 'unclear' ? { decidedBy: 'A third request.' } : {};
  const expected = { id: 'retries-back-off', ...ruleOf(level), outcome, evidence, ...decidedBy };
  expect(verdictOn('retries', ruleOf(level), parts)).toEqual(expected);
});

test('the newest evidence is shown', () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  expect(verdictOn('retries', ruleOf('must'), [part(true, ...ids)]).evidence).toEqual(
    ids.slice(-20),
  );
});
