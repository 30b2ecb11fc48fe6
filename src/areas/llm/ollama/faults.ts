/** Mistakes in a body of Ollama, which ignores unknown members, and reads null as absent. */

import type { Fault, Field, Protocol } from '#kit/input/fields/reader.js';
import { invalid, pathsOf, typeNames } from '../messages/mistake.js';

export const pathTo = pathsOf(64);

const names: typeof typeNames = { ...typeNames, boolean: 'true or false' };

function faultOf({ keyword, path, schema, words }: Fault): Error {
  if (words.message !== undefined) return invalid(path, words.message);
  const isRange = keyword === 'minimum' || keyword === 'maximum';
  const range = `from ${schema.minimum} to ${schema.maximum}`;
  const expected = words.expected ?? names[String(schema.type)] ?? '';
  return invalid(path, `must be ${isRange ? range : expected}.`);
}

const protocol: Protocol = { pathTo, fault: faultOf, rejectsUnknownFirst: false };

/** Returns a body as the field that a reader reads. */
export const fieldOf = (value: unknown): Field => ({ path: '', value, protocol });
