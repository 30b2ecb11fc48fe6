import { expect, test } from 'vitest';
import { describeExcess, uncountable } from './limits.js';

test('describeExcess has the actual number and the limit', () => {
  expect(describeExcess('tokens', 20_001)).toBe(
    'The document has 20,001 tokens; the limit is 5,000.',
  );
  expect(describeExcess('fields', uncountable)).toBe(
    'The document selects countless fields once its fragments are spread; the limit is 2,000.',
  );
});
