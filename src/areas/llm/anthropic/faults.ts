/** Mistakes in a field of a request, whose messages begin with dotted paths. */

import type { JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
import { describeSchema } from '#kit/input/describe-schema.js';
import type { Fault, Field, Protocol } from '#kit/input/fields/reader.js';
import { text } from '#kit/input/fields/values.js';
import { type MistakeOptions, mistake } from '../messages/mistake.js';

const maxNameLength = 64;

export function pathTo(path: string, step: string | number): string {
  const name = typeof step === 'number' ? String(step) : cutText(step, maxNameLength);
  return path === '' ? name : `${path}.${name}`;
}

export function reject(param: string, message: string, options?: MistakeOptions): never {
  throw mistake(400, message, { ...options, param });
}

const protocol: Protocol = {
  pathTo,
  fault: (fault) => mistake(400, messageOf(fault), { param: fault.path }),
  rejectsUnknownFirst: true,
  hasTags: true,
};

/** Returns the path of a block without its kind. */
export const blockPath = (path: string): string => path.replace(/\.[a-z_]+$/, '');

/** Returns a body as the field that a reader reads. */
export const fieldOf = (value: unknown): Field => ({ path: '', value, protocol });

function messageOf({ keyword, schema, words }: Fault): string {
  const { expected = expectedOf(schema), message } = words;
  if (keyword === 'additionalProperties') return 'This field is unknown; remove it.';
  if (keyword === 'unsupported') return unsupported;
  if (message !== undefined) return message;
  // Objects with known members are read in the same way when they are absent.
  const isMissing = keyword === 'required' && !('properties' in schema);
  return `${isMissing ? 'This field is required; it' : 'This'} must be ${expected}.`;
}

export const unsupported = 'This field is not supported here; remove it.';

function expectedOf(schema: JsonObject): string {
  const { type, enum: choices, maximum, ...others } = schema;
  if (Array.isArray(choices)) {
    const names = choices.map((each) => `"${each}"`);
    return names.length === 1 ? `${names}` : `one of ${names.join(', ')}`;
  }
  if (type === 'array') return 'an array';
  const isLimited = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  return describeSchema({ type, ...others, ...(isLimited && { maximum }) }) ?? '';
}

export const filledText = text({ isFilled: true, expected: 'a string that is not empty' });

export const visibleText = text({ pattern: /\S/, expected: 'a string with more than white space' });
