/** Readers of texts, numbers, and values of any kind. */

import { fault, type Reader, reader, requireType, type Words } from './reader.js';

export const anything: Reader<unknown> = reader({}, ({ value }) => value, true);

const ofBoolean = { type: 'boolean' };

export const boolean: Reader<boolean> = reader(ofBoolean, (field) => {
  requireType(field, typeof field.value === 'boolean', ofBoolean);
  return field.value as boolean;
});

interface Range {
  readonly min: number;
  readonly max?: number;
}

export function integer(range: Range): Reader<number> {
  return inRange('integer', Number.isInteger, range);
}

export function decimal(range: Range): Reader<number> {
  return inRange('number', () => true, range);
}

const { MIN_SAFE_INTEGER: lowest, MAX_SAFE_INTEGER: highest } = Number;

function inRange(
  type: 'integer' | 'number',
  isRight: (value: number) => boolean,
  { min, max = highest }: Range,
): Reader<number> {
  const schema = {
    type,
    ...(min !== lowest && { minimum: min }),
    ...(max !== highest && { maximum: max }),
  };
  return reader(schema, (field) => {
    const value = field.value as number;
    requireType(field, typeof value === 'number' && isRight(value), schema);
    // The limits of safe integers are not in the description.
    if (value < min) throw fault(field, 'minimum', { ...schema, minimum: min });
    if (value > max) throw fault(field, 'maximum', { ...schema, maximum: max });
    return value;
  });
}

interface TextLimits extends Words {
  readonly max?: number;
  readonly isFilled?: true;
  readonly pattern?: RegExp;
  readonly examples?: readonly string[];
  /** Rejects texts that the pattern accepts. */
  readonly accepts?: (value: string) => boolean;
}

export function text(limits: TextLimits = {}): Reader<string> {
  const { max, isFilled, pattern, examples, accepts, ...words } = limits;
  const schema = {
    type: 'string',
    ...(isFilled && { minLength: 1 }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern && { pattern: pattern.source }),
    ...(examples && { examples }),
  };
  return reader(schema, (field) => {
    const value = field.value as string;
    requireType(field, typeof value === 'string', schema, words);
    if (isFilled && value === '') throw fault(field, 'minLength', schema, words);
    if (max !== undefined && value.length > max) throw fault(field, 'maxLength', schema, words);
    const isRight = (pattern?.test(value) ?? true) && (accepts?.(value) ?? true);
    if (!isRight) throw fault(field, 'pattern', schema, words);
    return value;
  });
}

export function choice<const Choice extends string>(choices: readonly Choice[]): Reader<Choice> {
  const schema = { type: 'string', enum: choices };
  return reader(schema, (field) => {
    requireType(field, typeof field.value === 'string', schema);
    const found = choices.find((each) => each === field.value);
    if (found === undefined) throw fault(field, 'enum', schema);
    return found;
  });
}
