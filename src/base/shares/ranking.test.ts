import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ranked, Ranking } from './ranking.js';

test('an empty ranking has no first member', () => {
  expect(new Ranking().most).toBeUndefined();
});

test('after any changes, the first member has the largest amount', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'change', 'change', 'remove'),
    which: fc.nat(1000),
    amount: fc.integer({ min: -50, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const ranking = new Ranking<Ranked>();
      const members: Ranked[] = [];
      for (const { kind, which, amount } of steps) {
        const member = members[which % members.length];
        if (kind === 'add' || member === undefined) {
          const added = { amount, place: 0 };
          members.push(added);
          ranking.add(added);
        } else if (kind === 'change') {
          ranking.change(member, amount);
        } else {
          ranking.remove(member);
          members.splice(members.indexOf(member), 1);
        }
        const amounts = members.map((each) => each.amount);
        expect(ranking.most?.amount).toBe(members.length === 0 ? undefined : Math.max(...amounts));
      }
    }),
  );
});
