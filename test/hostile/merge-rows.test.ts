import { expect, test } from 'vitest';
import { mergeRows, rowsOf } from '../../lab/hostile/merge-rows.js';

const page = `Text
<!-- hostile -->
Node, 2 cores; 2 attacks, of which 2 were borne.

| attack | service | figure | |
| --- | --- | ---: | --- |
| a | direct | 1 ms | borne |
| a | proxied | 2 ms | borne |
<!-- end of hostile -->
| b | direct | 9 ms | borne |
`;

test('what was measured anew replaces what there was of it, and the rest stays', () => {
  const now = ['| a | proxied | 3 ms | borne |', '| c | direct | 4 ms | borne |'];
  expect(mergeRows(rowsOf(page), now)).toEqual([
    '| a | direct | 1 ms | borne |',
    '| a | proxied | 3 ms | borne |',
    '| c | direct | 4 ms | borne |',
  ]);
  expect(mergeRows(rowsOf('nothing'), [])).toEqual([]);
});
