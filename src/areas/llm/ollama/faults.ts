/** Mistakes in a body of Ollama, which ignores unknown members, and reads null as absent. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
import { type ObjectOf, objectSchema, readMembers, type Shape } from '#kit/input/fields/parts.js';
import {
  type Fault,
  type Field,
  type Protocol,
  type Reader,
  reader,
  requireType,
} from '#kit/input/fields/reader.js';
import { type MistakeOptions, mistake } from '../messages/mistake.js';

const maxNameLength = 64;

export function pathTo(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  const name = cutText(step, maxNameLength);
  return path === '' ? name : `${path}.${name}`;
}

export function reject(path: string, message: string, options?: MistakeOptions): never {
  throw mistake(400, `${path} ${message}`, { ...options, param: path });
}

const names: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

function faultOf({ keyword, path, schema, words }: Fault): Error {
  if (words.message !== undefined) return mistake(400, `${path} ${words.message}`, { param: path });
  const expected = words.expected ?? names[String(schema.type)] ?? '';
  const range = `from ${schema.minimum} to ${schema.maximum}`;
  const isRange = keyword === 'minimum' || keyword === 'maximum';
  return mistake(400, `${path} must be ${isRange ? range : expected}.`, { param: path });
}

const protocol: Protocol = { pathTo, fault: faultOf, rejectsUnknownFirst: false };

/** Returns a body as the field that a reader reads. */
export const fieldOf = (value: unknown): Field => ({ path: '', value, protocol });

const ofObject = { type: 'object', properties: {} };

/** Reads the members that are known. */
export function object<const Given extends Shape>(shape: Given): Reader<ObjectOf<Given>> {
  const schema: JsonObject = { ...objectSchema(shape), additionalProperties: true };
  return reader(schema, (field) => {
    requireType(field, isObject(field.value), ofObject);
    return readMembers(field, shape);
  });
}

/** Null is the same as absent, and not described. */
export const maybe = <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  reader(
    read.schema,
    (field) => (field.value === undefined || field.value === null ? undefined : read(field)),
    true,
  );
