import { expect, test } from 'vitest';
import { keyOf, randomText } from './secret-text.js';

test('a secret begins with its kind, and its key does not contain it', () => {
  const secret = randomText('oac');
  expect(secret).toMatch(/^oac_[\w-]{43}$/);
  expect(randomText('oac')).not.toBe(secret);
  expect(keyOf(secret)).toMatch(/^[\w-]{43}$/);
  expect(keyOf('x'.repeat(5000))).toHaveLength(43);
});
