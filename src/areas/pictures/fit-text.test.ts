import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitText, widthOf } from './fit-text.js';

const box = { width: 300, height: 90, lineHeight: 1.5, fontSizes: [40, 30, 20] } as const;

test.each([
  ['a short title stays large', 'Dune', ['Dune'], 40],
  ['a longer one is broken between words', 'The Name of the Wind', ['The Name of the', 'Wind'], 30],
  ['a word that is too wide makes all smaller', 'Neuromancers', ['Neuromancers'], 30],
  ['runs of blanks count once', '  a \n b  ', ['a b'], 40],
  ['nothing has no lines', ' ', [], 40],
])('%s', (_case, text, lines, fontSize) => {
  expect(fitText(text, box)).toEqual({ lines, fontSize });
});

test('text that does not fit is cut at the end', () => {
  const { lines, fontSize } = fitText('word '.repeat(60), box);
  expect(fontSize).toBe(20);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/word…$/);
});

test('for any text, every line fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { lines, fontSize } = fitText(text, box);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) expect(widthOf(line) * fontSize).toBeLessThanOrEqual(box.width);
    }),
  );
});
