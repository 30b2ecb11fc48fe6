import { describe, expect, test } from 'vitest';
import { checkPriority, checkText, maxTextLength } from './check-input.js';

describe('checkText', () => {
  test.each(['x', ' kept as it is ', '0', '雪', '👩\u200d🚀', 'x'.repeat(maxTextLength)])(
    'accepts %j',
    (text) => {
      expect(checkText('title', text)).toBe(text);
    },
  );

  test.each([
    ['', 'title must not be blank.'],
    [' \t\n\u00A0', 'title must not be blank.'],
    ['x'.repeat(1001), 'title has 1,001 characters; the limit is 1,000.'],
    ['two\nlines', 'title must hold no control characters, but U+000A is its character 4.'],
    ['\u0000', 'title must hold no control characters'],
    ['\u009b31m', 'title must hold no control characters'],
    ['\ud800', 'title must hold no control characters'],
  ])('rejects %j', (text, message) => {
    expect(() => checkText('title', text)).toThrow(message);
  });
});

describe('checkPriority', () => {
  test.each([
    ['high', 'high'],
    ['Medium', 'medium'],
    ['LOW', 'low'],
  ])('accepts %s as %s', (text, priority) => {
    expect(checkPriority(text)).toBe(priority);
  });

  test.each(['', 'urgent', ' high', 'high low', '__proto__'])('rejects %j', (text) => {
    expect(() => checkPriority(text)).toThrow(
      `priority must be one of high, medium, low; got ${JSON.stringify(text)}.`,
    );
  });
});
