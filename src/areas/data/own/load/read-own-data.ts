/** Parses a caller's data from JSON text in the structure of json-server's `db.json`, optionally with `$schemas`. */

import { isObject } from '#base/json-object.js';
import { runAtOnce, type Steps } from '#base/run-steps.js';
import { cutText } from '#base/text/cut-text.js';
import { JsonLocator, membersOf, type Path } from '#http/json/locate-in-json.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import { idStatistics } from '#state/rows/dataset.js';
import { type Seen, takeValue } from '#state/rows/take-value.js';
import { type DataFault, maxDataFaults, OwnDataError } from './own-data-error.js';
import { type FieldNames, usualFieldNames } from './own-relations.js';
import { numberAt, surveyJson } from './survey-json.js';

const mebibyte = 1024 * 1024;

export const maxDataBytes = 5 * mebibyte;
export const maxCollections = 50;
export const maxRecords = 10_000;
/** Levels of objects and arrays, including the whole. */
export const maxDataDepth = 20;
export const maxRecordDepth = maxDataDepth - 2;
/** Values determine the memory: a million empty objects are three megabytes of text. */
export const maxDataValues = 500_000;
export const maxDataNames = 20_000;
export const maxDataShapes = 100_000;

export type OwnObject = Readonly<Record<string, unknown>>;
export interface OwnData {
  readonly names: FieldNames;
  /** Parts of the data that are served in an unexpected way. */
  readonly warnings: readonly DataFault[];
  /** Collections and single resources, in the order of the text. */
  readonly members: ReadonlyMap<string, OwnMember>;
  /** Unchanged, by the name of the member. */
  readonly schemas: OwnObject;
  readonly bytes: number;
  /** The names of all fields at any depth, and of all members. */
  readonly fieldNames: ReadonlyMap<string, number>;
}

export interface OwnMember {
  /**
   * True for an object, and for an array without objects, which is a single resource; false for an array of records.
   */
  readonly isSingle: boolean;
  /** Deeply frozen; records of a collection have ids. */
  readonly records: readonly OwnObject[];
}

const schemasMember = '$schemas';
const editorsMember = '$schema';

/** Parses data in short steps. Throws {@link OwnDataError} with up to {@link maxDataFaults} errors. */
export function* readOwnData(text: string, names = usualFieldNames): Steps<OwnData> {
  if (Buffer.byteLength(text) > maxDataBytes) {
    const what = `is larger than ${maxDataBytes / mebibyte} MiB (${maxDataBytes} bytes)`;
    throw new OwnDataError([{ field: '', what }]);
  }
  const locator = new JsonLocator(text);
  const inexact = survey(text, locator);
  yield;
  const whole = parse(text);
  yield;
  if (!isObject(whole)) {
    const what = `must be an object of collections (arrays) and single resources (objects); got ${kindOf(whole)}`;
    throw new OwnDataError([{ field: '', what, place: locator.placeAt(text.search(/\S/)) }]);
  }
  const reader = new Reader(names, locator);
  reader.rejectTwins(text, locator);
  yield;
  reader.rejectInexact(text, inexact, locator);
  const data = yield* reader.read(whole);
  if (reader.faults.length > 0) throw new OwnDataError(reader.faults);
  return data;
}

/** Accepts data that was already parsed and checked, such as by another process. */
export function takeOwnData(whole: OwnObject, names = usualFieldNames): OwnData {
  return runAtOnce(new Reader(names).read(whole));
}

const excessWords = {
  maxDepth: `is nested deeper than ${maxDataDepth} levels`,
  maxValues: `has more than ${maxDataValues} values`,
  maxNames: `has more than ${maxDataNames} different names of members`,
  maxShapes: `has objects with more than ${maxDataShapes} different beginnings of their lists of names`,
};

/** Throws if parsing would cost too much. Returns the positions of numbers that would change. */
function survey(text: string, locator: JsonLocator): readonly number[] {
  const { excess, inexact } = surveyJson(text, {
    maxDepth: maxDataDepth,
    maxValues: maxDataValues,
    maxNames: maxDataNames,
    maxShapes: maxDataShapes,
  });
  if (excess === undefined) return inexact;
  const place = locator.placeAt(excess.offset);
  throw new OwnDataError([{ field: '', what: excessWords[excess.of], place }]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OwnDataError([{ field: '', what: syntaxFault(text) }]);
  }
}

function syntaxFault(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `is i${error.message.slice(1, -1)}`;
  }
  return 'is invalid JSON';
}

class Reader {
  readonly faults: DataFault[] = [];
  readonly #warnings: DataFault[] = [];
  readonly #names: FieldNames;
  readonly #locator: JsonLocator | undefined;
  readonly #seen: Seen = { names: new Map(), shapes: new Set() };
  #bytes = 0;

  constructor(names: FieldNames, locator?: JsonLocator) {
    this.#names = names;
    this.#locator = locator;
  }

  #fault(path: Path, what: string, place = this.#locator?.place(path)): void {
    if (!this.#isFull) this.faults.push({ field: path.join('.'), what, place });
  }

  #warn(path: Path, what: string): void {
    const isFull = this.#warnings.length >= maxDataFaults;
    if (this.#locator === undefined || isFull) return;
    this.#warnings.push({ field: path.join('.'), what, place: this.#locator.place(path) });
  }

  get #isFull(): boolean {
    return this.faults.length >= maxDataFaults;
  }

  /** Rejects duplicate names: a parser would keep only the last, and lose the other data. */
  rejectTwins(text: string, locator: JsonLocator): void {
    const seen = new Set<string>();
    for (const { name, offset } of membersOf(text)) {
      if (this.#isFull) break;
      if (seen.has(name)) this.#fault([name], 'must not be repeated', locator.placeAt(offset));
      seen.add(name);
    }
  }

  /** Rejects numbers that would change, because the data could not be returned unchanged. */
  rejectInexact(text: string, offsets: readonly number[], locator: JsonLocator): void {
    for (const offset of offsets) {
      const written = numberAt(text, offset);
      const shown = cutText(written, 40);
      const what = `has the number ${shown}, which programs change to ${Number(written)}; write it as text`;
      this.#fault([], what, locator.placeAt(offset));
    }
  }

  *read(whole: OwnObject): Steps<OwnData> {
    const members = new Map<string, OwnMember>();
    let schemas: OwnObject = {};
    let count = 0;
    for (const [name, value] of Object.entries(whole)) {
      if (this.#isFull) break;
      const fault = nameFault(name);
      if (name === editorsMember) continue;
      if (name === schemasMember) schemas = this.#readSchemas(value);
      else if (fault !== undefined) this.#fault([name], fault);
      else if (isListOfValues(value)) {
        members.set(name, { isSingle: true, records: [this.#take(value, [name])] });
        this.#warn([name], `is a list without objects, so it is a single resource at ${name}`);
      } else if (Array.isArray(value)) {
        count += value.length;
        if (count > maxRecords) continue;
        members.set(name, { isSingle: false, records: yield* this.#readRecords(name, value) });
      } else if (isObject(value)) {
        members.set(name, { isSingle: true, records: [this.#take(value, [name])] });
      } else {
        this.#fault([name], `must be an array of records or an object; got ${kindOf(value)}`);
      }
    }
    if (count > maxRecords)
      this.#fault([], `must have at most ${maxRecords} records; got ${count}`);
    if (members.size > maxCollections) {
      const what = `must have at most ${maxCollections} collections and single resources; got ${members.size}`;
      this.#fault([], what);
    }
    const { names } = this.#seen;
    const [bytes, warnings] = [this.#bytes, this.#warnings];
    return { names: this.#names, members, schemas, bytes, fieldNames: names, warnings };
  }

  #readSchemas(value: unknown): OwnObject {
    if (isObject(value)) return this.#take(value, [schemasMember]);
    this.#fault([schemasMember], `must be an object of JSON Schemas; got ${kindOf(value)}`);
    return {};
  }

  *#readRecords(name: string, values: readonly unknown[]): Steps<readonly OwnObject[]> {
    /** Keyed by the text of the id: in a URL, the number 1 and the text "1" are the same. */
    const places = new Map<string, number>();
    for (const [index, value] of values.entries()) {
      if (this.#isFull) break;
      if (isObject(value)) this.#checkId([name, index], value[this.#names.id], places);
      else this.#fault([name, index], `must be an object; got ${kindOf(value)}`);
    }
    if (this.faults.length > 0) return [];
    const idName = this.#names.id;
    const { highest, areTexts } = idStatistics(values as OwnObject[], idName);
    let last = highest;
    const records: OwnObject[] = [];
    for (const [index, value] of (values as OwnObject[]).entries()) {
      const isWithout = value[idName] === undefined;
      if (isWithout) last++;
      const id = areTexts ? String(last) : last;
      records.push(this.#take(isWithout ? { [idName]: id, ...value } : value, [name, index]));
      yield;
    }
    return Object.freeze(records);
  }

  #checkId(path: readonly [string, number], id: unknown, places: Map<string, number>): void {
    if (id === undefined) return;
    const [name, index] = path;
    const earlier = places.get(String(id));
    const fault = idFault(id);
    const idPath = [...path, this.#names.id];
    if (fault !== undefined) this.#fault(idPath, fault);
    else if (earlier === undefined) places.set(String(id), index);
    else {
      const what = `is ${JSON.stringify(id)}, which is also the id of ${name}.${earlier}, the record with this URL`;
      this.#warn(idPath, what);
    }
  }

  #take(value: OwnObject, path: Path): OwnObject {
    const { bytes, hasUnsafeName } = takeValue(value, this.#seen);
    if (hasUnsafeName) this.#fault(path, unsafeName);
    this.#bytes += bytes;
    return value;
  }
}

/** Whether an array has values that are not records. An empty array is a collection. */
function isListOfValues(value: unknown): value is OwnObject {
  return Array.isArray(value) && value.length > 0 && !value.some(isObject);
}

export const unsafeName =
  'has a member called __proto__, which has a special meaning in many programs';

const controlCharacter = /\p{Cc}/u;
const maxIdLength = 200;

export function idFault(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isFinite(id)) return undefined;
  if (typeof id !== 'string') return 'must be a number or a string';
  if (id === '' || id.length > maxIdLength || controlCharacter.test(id)) {
    return `must be a string of 1 to ${maxIdLength} characters without control characters, or a number`;
  }
  return undefined;
}

/** Paths below `/my` that are not collections. */
const takenNames = ['openapi.json', '.', '..', '__proto__'];

function nameFault(name: string): string | undefined {
  if (name.startsWith('$')) return 'begins with $, which is reserved for $schemas';
  if (takenNames.includes(name.toLowerCase())) return 'has a reserved name';
  if (name === '' || name.length > 100 || name.includes('/') || controlCharacter.test(name)) {
    return 'has a name that no URL can have; use 1 to 100 characters, without a slash';
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const kinds: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
  };
  return kinds[typeof value] ?? 'an object';
}
