import { expect, test } from 'vitest';
import { figuresOf } from '../../lab/hostile/figures.js';

const row = (name: string, mode: string, figure: string, end = 'borne') =>
  `| ${name} | ${mode} | ${figure} | 2 ms | 1 MiB | nothing | ${end} |`;

test('repeated measurements replace the rows of the same attack and service; others stay in order', () => {
  const before = figuresOf(['one', 'two', 'gone'], '', [
    row('one', 'direct', '1 ms'),
    row('two', 'direct', '2 ms'),
    row('gone', 'direct', '3 ms'),
  ]);
  const after = figuresOf(['new', 'one', 'two'], before, [
    row('two', 'proxied', '4 ms'),
    row('one', 'direct', '5 ms', '**not borne**'),
    row('new', 'direct', '6 ms'),
  ]);
  const [first, , , , ...rows] = after.split('\n');
  expect(first).toBe('4 attacks, of which 3 were borne.');
  expect(rows).toEqual([
    row('new', 'direct', '6 ms'),
    row('one', 'direct', '5 ms', '**not borne**'),
    row('two', 'direct', '2 ms'),
    row('two', 'proxied', '4 ms'),
  ]);
});
