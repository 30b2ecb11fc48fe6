/** Lists the input of a response in pages. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { memberOf } from '#kit/input/fields/parts.js';
import { nullable } from '#kit/input/fields/reader.js';
import { choice, integer, text } from '#kit/input/fields/values.js';
import { fieldOf, invalid } from '../read/faults.js';

const defaultLimit = 20;
const limitReader = integer({ min: 1, max: 100 });
const orderReader = nullable(choice(['asc', 'desc']));
const afterReader = nullable(text({ max: 100 }));

export function listItems(items: readonly JsonObject[], given: unknown): JsonObject {
  const query = fieldOf(isObject(given) ? given : {});
  const { value: limitText = String(defaultLimit) } = memberOf(query, 'limit');
  const limit = limitReader({ ...query, path: 'limit', value: numberOf(limitText) });
  const order = orderReader(memberOf(query, 'order')) ?? 'desc';
  const after = afterReader(memberOf(query, 'after'));
  const ordered = order === 'asc' ? items : items.toReversed();
  const start = after === undefined ? 0 : placeAfter(ordered, after);
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}

function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
}

function placeAfter(items: readonly JsonObject[], id: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index >= 0) return index + 1;
  throw invalid('after', 'invalid_value', "Invalid 'after': no item of this response has this id.");
}
