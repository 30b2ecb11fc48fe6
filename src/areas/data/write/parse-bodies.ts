/** Parses records in forms, CSV or YAML to the equivalent of their JSON. */

import { isObject } from '#base/json-object.js';
import { parseCsvRow } from '#http/body/parse-csv.js';
import { parseForm } from '#http/body/parse-form.js';
import { HttpError } from '#http/http-error.js';
import { listSeparator } from '../formats/csv.js';
import type { RecordField } from '../source/fields.js';
import type { Call } from '../source/source.js';
import { parseYaml } from './parse-yaml.js';

type BodyParsers = Readonly<Record<string, (text: string) => unknown>>;

/** Returns parsers by media type. `fields` define the types of texts in forms and cells. */
export function bodyParsers(fields: readonly RecordField[]): BodyParsers {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return {
    'application/x-www-form-urlencoded': (text) => parseFormRecord(text, byName),
    'text/csv': (text) => parseCsvRecord(text, byName),
    'application/yaml': parseYamlRecord,
    'application/x-yaml': parseYamlRecord,
    'text/yaml': parseYamlRecord,
  };
}

/** A body that is parsed later, when its collection is known, which defines the types of its texts. */
class DeferredBody {
  readonly parse: (fields: readonly RecordField[]) => unknown;

  constructor(type: string, text: string) {
    this.parse = (fields) => bodyParsers(fields)[type]?.(text);
  }
}

export const deferredBodies: BodyParsers = Object.fromEntries(
  Object.keys(bodyParsers([])).map((type) => [type, (text) => new DeferredBody(type, text)]),
);

/** Parses a deferred body by the fields of the source. Does not change other bodies. */
export function parseDeferred({ request, source }: Call): void {
  const { body } = request;
  if (!(body instanceof DeferredBody)) return;
  const parsed = body.parse(source.fields.all);
  if (!isObject(parsed)) throw new HttpError(400, 'The body must be one record: an object.');
  request.body = parsed;
}

function parseYamlRecord(text: string): unknown {
  return orInvalid('YAML', () => parseYaml(text));
}

type FieldsByName = ReadonlyMap<string, RecordField>;

function parseFormRecord(text: string, byName: FieldsByName): unknown {
  // The default Content-Type of curl.
  if (/^\s*[{[]/.test(text)) {
    const message =
      'The body is application/x-www-form-urlencoded, but looks like JSON. Send Content-Type: application/json.';
    throw new HttpError(415, message);
  }
  const members = Object.entries(orInvalid('form', () => parseForm(text)));
  return recordFrom(members, byName, (texts) => texts.filter(Boolean));
}

function parseCsvRecord(text: string, byName: FieldsByName): unknown {
  const cells = orInvalid('CSV', () => parseCsvRow(text));
  return recordFrom(cells, byName, ([cell = '']) => (cell === '' ? [] : cell.split(listSeparator)));
}

function recordFrom(
  members: Iterable<readonly [name: string, value: string | readonly string[]]>,
  byName: FieldsByName,
  listOf: (texts: readonly string[]) => readonly string[],
): unknown {
  const record = {};
  for (const [name, value] of members) {
    const field = byName.get(name);
    const texts = [value].flat();
    const [text = ''] = texts;
    if (field?.kind === 'texts') setAt(record, name, listOf(texts));
    // A repeated field is a list, which the schema rejects.
    else if (texts.length > 1) setAt(record, name, texts);
    else if (field === undefined) setAt(record, name, text);
    // An empty text is null if the field may be null, and is otherwise omitted, because no field accepts empty text.
    else if (text !== '') setAt(record, name, valueFrom(field, text));
    else if (field.isNullable && !name.includes('.')) setAt(record, name, null);
  }
  return record;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the text unchanged if it is not a value of the field, so that the schema reports it. */
function valueFrom({ kind }: RecordField, text: string): string | number | boolean {
  const isNumber = kind === 'integer' || kind === 'number';
  if (isNumber && jsonNumber.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function setAt(record: object, name: string, value: unknown): void {
  const path = name.split('.');
  const last = path.pop() ?? '';
  let target = record as Record<string, unknown>;
  for (const each of path) {
    const inner = Object.hasOwn(target, each) ? target[each] : undefined;
    const next = typeof inner === 'object' && inner !== null ? inner : {};
    define(target, each, next);
    target = next as Record<string, unknown>;
  }
  define(target, last, value);
}

/** An assignment to `__proto__` would not create a member. */
function define(target: object, name: string, value: unknown): void {
  const member = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(target, name, member);
}

function orInvalid<Value>(format: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    const reason = error instanceof RangeError ? 'It is nested too deep' : (error as Error).message;
    throw new HttpError(400, `Invalid ${format}: ${reason.split('\n', 1)[0]}.`);
  }
}
