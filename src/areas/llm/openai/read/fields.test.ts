import { expect, test } from 'vitest';
import type { HttpError } from '../../../../http/http-error.js';
import { array, byMember, choice, integer, nullable, object, optional, text } from './fields.js';

const read = object({
  name: text({ max: 5 }),
  size: nullable(integer({ min: 1, max: 3 })),
  parts: optional(
    array(
      byMember('type', {
        text: object({ type: choice(['text']), text: text() }),
        url: object({ type: choice(['url']), url: text() }),
      }),
      { min: 1, max: 2 },
    ),
  ),
});

test('returns the members', () => {
  const value = { name: 'a', size: null, parts: [{ type: 'url', url: 'b' }] };
  expect(read({ path: '', value })).toEqual({ ...value, size: undefined });
});

test.each([
  [[], '', 'invalid_type'],
  [{}, 'name', 'missing_required_parameter'],
  [{ name: null }, 'name', 'invalid_type'],
  [{ name: 'abcdef' }, 'name', 'string_above_max_length'],
  [{ name: 'a', nam: 1 }, 'nam', 'unknown_parameter'],
  [JSON.parse('{"name":"a","__proto__":1}'), '__proto__', 'unknown_parameter'],
  [{ name: 'a', size: 4 }, 'size', 'integer_above_max_value'],
  [{ name: 'a', size: 1.5 }, 'size', 'invalid_type'],
  [{ name: 'a', parts: null }, 'parts', 'invalid_type'],
  [{ name: 'a', parts: [] }, 'parts', 'empty_array'],
  [{ name: 'a', parts: [{ type: 'toString' }] }, 'parts[0].type', 'invalid_value'],
  [{ name: 'a', parts: [{ type: 'text' }] }, 'parts[0].text', 'missing_required_parameter'],
  [
    {
      name: 'a',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'url', url: '', x: 1 },
      ],
    },
    'parts[1].x',
    'unknown_parameter',
  ],
])('rejects %j with the path %s', (value, param, code) => {
  let error: HttpError | undefined;
  try {
    read({ path: '', value });
  } catch (thrown) {
    error = thrown as HttpError;
  }
  expect(error?.extra).toEqual({ param, code });
});
