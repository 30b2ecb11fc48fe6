import { expect, expectTypeOf, test } from 'vitest';
import { type CaseText, casesOf, type SomeOf } from './misbehaviour.js';

interface Effects {
  readonly change: (text: string) => string;
  readonly end: () => void;
}
type Case = CaseText & SomeOf<Effects>;

const text = { what: 'It changes.', rightClient: 'Ignores it.', section: 'None' };

test('a case needs an effect; the table keeps the names', () => {
  const change = (value: string) => value.toUpperCase();
  const table = casesOf<Case>()({
    upper: { ...text, change },
    both: { ...text, change, end() {} },
  });
  expectTypeOf<keyof typeof table>().toEqualTypeOf<'upper' | 'both'>();
  expectTypeOf<typeof text>().not.toExtend<Case>();
  expect(table.upper.change('a')).toBe('A');
});
