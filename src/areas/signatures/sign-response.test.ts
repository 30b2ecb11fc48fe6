import { expect, test } from 'vitest';
import { MessageFields } from './messages/message-fields.js';
import { signResponse } from './sign-response.js';

/** The message about a demand; empty if it is met. */
function faultOf(wanted: string): string {
  const fields = new MessageFields([]);
  const content = { fields, body: Buffer.alloc(0), trailers: fields };
  try {
    signResponse({ kind: 'response', status: 200, ...content } as never, wanted, 0);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const demands = (count: number) =>
  Array.from({ length: count }, (_, index) => `s${index}=("@status")`).join(', ');
const components = (count: number) =>
  `s=(${Array.from({ length: count }, (_, index) => `"x-${index}"`).join(' ')})`;

test('1 to 3 signatures can be demanded', () => {
  expect(faultOf(demands(1))).toBe('');
  expect(faultOf(demands(3))).toBe('');
  for (const count of [0, 4]) expect(faultOf(demands(count))).toMatch(/it must have 1 to 3/);
});

test('20 components can be demanded', () => {
  // The response has none of them.
  expect(faultOf(components(20))).toMatch(/cannot be covered/);
  expect(faultOf(components(21))).toMatch(/must be a list of at most 20 components/);
});

test('a demand has at most 2,000 characters', () => {
  const ofLength = (length: number) => `s=("${'x'.repeat(length - 6)}")`;
  expect(faultOf(ofLength(2000))).toMatch(/cannot be covered/);
  expect(faultOf(ofLength(2001))).toMatch(/it is too long for a dictionary/);
});
