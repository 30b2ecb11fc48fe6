/** Describes a schema in a few words, such as `integer, 1 to 100`. */

import { type Description, resolved, type Schema } from '../description.js';

/** Deeper ones are only called by their type. */
const maxDepth = 3;

export function typeText(
  description: Pick<Description, 'components'>,
  schema: Schema | undefined,
  depth = 0,
): string {
  const found = resolved(description, schema) ?? {};
  const alternatives = found.oneOf ?? found.anyOf;
  if (alternatives !== undefined && depth < maxDepth) {
    const texts = alternatives.map((each) => typeText(description, each, depth + 1));
    return [...new Set(texts)].join(' or ');
  }
  if (found.const !== undefined) return JSON.stringify(found.const);
  const { type, items } = found;
  if (type === 'array' && items !== undefined && depth < maxDepth) {
    return `list of ${typeText(description, items, depth + 1)}${limits(found.minItems, found.maxItems, 'item')}`;
  }
  const name = [type ?? 'any value'].flat().map((each) => (each === 'string' ? 'text' : each));
  const range = limits(found.minimum, found.maximum, '');
  const length = limits(found.minLength, found.maxLength, 'character');
  const format = found.format === undefined || found.format === 'double' ? '' : `, ${found.format}`;
  const initial = found.default === undefined ? '' : `, default ${JSON.stringify(found.default)}`;
  return `${name.join(' or ')}${format}${range}${length}${initial}`;
}

function limits(least: number | undefined, most: number | undefined, unit: string): string {
  // The limits of the type itself say nothing.
  const max = most !== undefined && most < 2 ** 31 - 1 ? most : undefined;
  const min = unit !== '' && least === 0 ? undefined : least;
  if (min === undefined && max === undefined) return '';
  const units = unit === '' ? '' : ` ${unit}${(max ?? min) === 1 ? '' : 's'}`;
  if (max === undefined) return `, at least ${min}${units}`;
  return min === undefined ? `, at most ${max}${units}` : `, ${min} to ${max}${units}`;
}
