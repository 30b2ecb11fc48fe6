import { expect, test } from 'vitest';
import { type JudgedPart, verdictOn } from './verdict.js';

const rule = { rule: 'back-off', section: 'RFC 0 section 1', hint: 'Wait.' };
const part = (isKept: boolean | null, ...requests: string[]): JudgedPart => ({ isKept, requests });

test.each<[string, JudgedPart[], string, string[]]>([
  ['nothing', [], 'not-reached', []],
  ['requests that do not exercise the rule', [part(null, 'a')], 'not-reached', []],
  ['a kept part', [part(null, 'a'), part(true, 'b')], 'kept', ['b']],
  ['a broken part', [part(true, 'a'), part(false, 'b', 'c')], 'broken', ['b', 'c']],
  ['a request in two parts', [part(true, 'a', 'b'), part(true, 'b', 'c')], 'kept', ['a', 'b', 'c']],
])('%s', (_name, parts, outcome, evidence) => {
  const expected = { id: 'retries-back-off', ...rule, outcome, evidence };
  expect(verdictOn('retries', rule, parts)).toEqual(expected);
});

test('the newest evidence is shown', () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  expect(verdictOn('retries', rule, [part(true, ...ids)]).evidence).toEqual(ids.slice(-20));
});
