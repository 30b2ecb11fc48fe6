import { expect, test } from 'vitest';
import { normalizeText, streamSafe } from './stream-safe.js';

const marks = (count: number) => '\u0301'.repeat(count);

test.each([
  ['no marks', 'plain', 'plain'],
  ['a few marks', `e${marks(3)}x${marks(30)}`, `e${marks(3)}x${marks(30)}`],
  ['a run that is too long', `e${marks(31)}x`, `e${marks(30)}\u034f${marks(1)}x`],
  [
    'several long runs',
    `${marks(60)}.${marks(61)}`,
    `${marks(30)}\u034f${marks(30)}\u034f.${marks(30)}\u034f${marks(30)}\u034f${marks(1)}`,
  ],
])('%s', (_name, text, expected) => {
  expect(streamSafe(text)).toBe(expected);
});

test.each(['e\u0301', 'A\u030a', '\u212b', '가', 'ﬁ'])('%j has its usual normal form', (text) => {
  expect(normalizeText(text)).toBe(text.normalize('NFC'));
});

test('normalizing marks in the wrong order is fast, however many there are', () => {
  const text = `a${'\u0301\u0316'.repeat(200_000)}`;
  expect(normalizeText(text).length).toBeGreaterThan(400_000);
});
