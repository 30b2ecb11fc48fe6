/** Mistakes in a field of a request to Gemini, whose paths have the names of protocol buffers. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
import { didYouMean } from '#base/text/did-you-mean.js';
import type { HttpError } from '#http/http-error.js';
import type { ObjectOf } from '#kit/input/fields/parts.js';
import { objectSchema, readMembers, rejectUnknown, type Shape } from '#kit/input/fields/parts.js';
import {
  type Fault,
  type Field,
  type Protocol,
  type Reader,
  reader,
  requireType,
} from '#kit/input/fields/reader.js';
import { googleDetail } from '../messages/google-details.js';
import { invalid, mistake, pathsOf, typeNames } from '../messages/mistake.js';

const maxNameLength = 64;

const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelOf = (name: string) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

export const pathTo = pathsOf(maxNameLength, snakeOf);

/** A mistake that Google finds when it parses the body: it has details. */
function unparsable(field: string, description: string, param: string): HttpError {
  const details = [googleDetail('BadRequest', { fieldViolations: [{ field, description }] })];
  return mistake(400, description, { details, param });
}

const shown = (value: unknown) => cutText(JSON.stringify(value) ?? '', 40);

function faultOf(fault: Fault): HttpError {
  const { keyword, path, value, schema, words } = fault;
  const { type, enum: choices, minimum, maximum, maxItems, pattern } = schema;
  if (words.message !== undefined) return invalid(path, words.message);
  switch (keyword) {
    case 'additionalProperties':
      return unknownName(fault);
    case 'type': {
      const expected = words.expected ?? typeNames[String(type)] ?? '';
      return unparsable(
        path,
        `Invalid value at '${path}': use ${expected}, not ${shown(value)}.`,
        path,
      );
    }
    case 'enum': {
      const names = (choices as readonly string[]).join(', ');
      return unparsable(path, `Invalid value at '${path}', ${shown(value)}: use ${names}.`, path);
    }
    case 'minimum':
    case 'maximum': {
      const range = [minimum, maximum].filter((each) => each !== undefined).join(' to ');
      return invalid(path, `must be ${maximum === undefined ? 'at least ' : 'from '}${range}.`);
    }
    case 'maxItems':
      return invalid(path, `must have at most ${maxItems} items.`);
    case 'pattern':
      return invalid(path, `must be ${words.expected ?? `a text like ${pattern}`}.`);
    case 'unsupported':
      return invalid(path, words.expected || 'is not supported here; remove it.');
    default:
      return invalid(path, keyword === 'required' ? 'is required.' : 'must not be empty.');
  }
}

function unknownName({ path, unknown = '', known = [] }: Fault): HttpError {
  const parent = path.slice(0, -pathTo('', unknown).length).replace(/\.$/, '');
  const at = parent === '' ? '' : ` at '${parent}'`;
  const hint = didYouMean(camelOf(unknown), known);
  const description = `Unknown name "${cutText(unknown, maxNameLength)}"${at}: remove it.${hint}`;
  return unparsable(parent, description, path);
}

const protocol: Protocol = { pathTo, fault: faultOf, rejectsUnknownFirst: true };

/** Returns a body as the field that a reader reads. */
export const fieldOf = (value: unknown): Field => ({ path: '', value, protocol });

const ofObject = { type: 'object', properties: {} };

/** Reads an object whose members may be spelled in camel case or with underscores. */
export function object<const Given extends Shape>(shape: Given): Reader<ObjectOf<Given>> {
  const names = Object.keys(shape);
  return reader(objectSchema(shape), (field) => {
    requireType(field, isObject(field.value), ofObject);
    const given = field.value as JsonObject;
    const entries = Object.entries(given).flatMap(([name, value]) => {
      const camel = camelOf(name);
      return value === null ? [] : [[names.includes(camel) ? camel : name, value]];
    });
    const spelled = { ...field, value: Object.fromEntries(entries) };
    rejectUnknown(spelled, names);
    return readMembers(spelled, shape);
  });
}

/** A number may be a text, as in JSON of protocol buffers. */
export const numeric = (read: Reader<number>): Reader<number> =>
  reader(read.schema, (field) => {
    const { value } = field;
    const isText = typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value);
    return read(isText ? { ...field, value: Number(value) } : field);
  });
