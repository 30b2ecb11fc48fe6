/**
 * Data of one's own, read from JSON text in the shape of json-server's `db.json`: arrays are collections,
 * objects are single resources, and `$schemas` says what records may hold.
 */

import { JsonSyntaxError, parseJson } from '../../../server/parse-json.js';
import { locateInJson, membersOf, type Path, type Place, placeAt } from './locate-in-json.js';
import { type DataFault, maxDataFaults, OwnDataError } from './own-data-error.js';
import { idFault, idsFor, type OwnId } from './own-ids.js';
import { numberAt, surveyJson } from './survey-json.js';
import { takeValue } from './take-value.js';

const mebibyte = 1024 * 1024;

export const maxDataBytes = 5 * mebibyte;
export const maxCollections = 50;
export const maxRecords = 10_000;
/** Levels of objects and arrays, the whole included. */
export const maxDataDepth = 20;
/** A record is below the whole and its collection. */
export const maxRecordDepth = maxDataDepth - 2;
/** Values are what memory is spent on: a million empty objects are three megabytes of text. */
export const maxDataValues = 500_000;
/** Of members, wherever they are: each different one costs more than its text. */
export const maxDataNames = 20_000;

export type OwnObject = Readonly<Record<string, unknown>>;
export type OwnRecord = OwnObject & { readonly id: OwnId };

export interface OwnData {
  /** Frozen to their depth, in the order of the text; so are the records of each. */
  readonly collections: ReadonlyMap<string, readonly OwnRecord[]>;
  readonly singles: ReadonlyMap<string, OwnObject>;
  /** Those of both, in the order of the text. */
  readonly names: readonly string[];
  /** As they were written, by the name of the collection or single resource. */
  readonly schemas: OwnObject;
  /** How many values the records of each hold, by its name. */
  readonly values: ReadonlyMap<string, number>;
  /** What all that takes in memory. */
  readonly bytes: number;
  /** Of all members that there are anywhere. */
  readonly memberNames: ReadonlySet<string>;
}

/** What means something else than a collection. */
const schemasMember = '$schemas';
const editorsMember = '$schema';

export interface ReadOptions {
  /** Whether somebody can look the faults up in the text. */
  readonly hasPlaces?: boolean;
}

/** Throws {@link OwnDataError} with all that is wrong, up to {@link maxDataFaults} faults. */
export function readOwnData(text: string, { hasPlaces = true }: ReadOptions = {}): OwnData {
  if (Buffer.byteLength(text) > maxDataBytes) {
    const what = `is larger than ${maxDataBytes / mebibyte} MiB (${maxDataBytes} bytes)`;
    throw new OwnDataError([{ field: '', what }]);
  }
  const { whole, inexact } = parse(text);
  if (!isObject(whole)) {
    const what = `must be an object of collections (arrays) and single resources (objects); got ${kindOf(whole)}`;
    throw new OwnDataError([{ field: '', what, place: placeAt(text, text.search(/\S/)) }]);
  }
  const reader = new Reader(hasPlaces ? text : undefined);
  reader.refuseTwins(text);
  reader.refuseInexact(text, inexact);
  const data = reader.read(whole);
  if (reader.faults.length > 0) throw new OwnDataError(reader.faults);
  return data;
}

/** Of what was read and checked before, such as by another process. */
export function takeOwnData(whole: OwnObject): OwnData {
  return new Reader(undefined).read(whole);
}

/** Parses what can be parsed at no great cost. */
function parse(text: string): { readonly whole: unknown; readonly inexact: readonly number[] } {
  const { excess, inexact } = surveyJson(text, limits);
  if (excess !== undefined) {
    const place = placeAt(text, excess.offset);
    throw new OwnDataError([{ field: '', what: excessWords[excess.of], place }]);
  }
  try {
    return { whole: JSON.parse(text), inexact };
  } catch {
    throw new OwnDataError([{ field: '', what: syntaxFault(text) }]);
  }
}

const limits = { maxDepth: maxDataDepth, maxValues: maxDataValues, maxNames: maxDataNames };

const excessWords = {
  maxDepth: `is nested deeper than ${maxDataDepth} levels`,
  maxValues: `holds more than ${maxDataValues} values`,
  maxNames: `has more than ${maxDataNames} different names of members`,
} as const;

/** Parses again, for the words and the place. */
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
  readonly #text: string | undefined;
  /** Names of members: each takes memory once. */
  readonly #names = new Set<string>();
  readonly #values = new Map<string, number>();
  #bytes = 0;

  constructor(text: string | undefined) {
    this.#text = text;
  }

  #fault(path: Path, what: string, place?: Place): void {
    if (this.faults.length >= maxDataFaults) return;
    const found = this.#text === undefined ? undefined : (place ?? locateInJson(this.#text, path));
    this.faults.push({ field: path.join('.'), what, ...(found && { place: found }) });
  }

  get #isFull(): boolean {
    return this.faults.length >= maxDataFaults;
  }

  /** Of two members of one name a parser takes the last: half of the data would be missing. */
  refuseTwins(text: string): void {
    const seen = new Set<string>();
    for (const { name, offset } of membersOf(text)) {
      if (this.#isFull) break;
      if (seen.has(name)) this.#fault([name], 'must not be repeated', placeAt(text, offset));
      seen.add(name);
    }
  }

  /** What was put could not be given back as it was. */
  refuseInexact(text: string, offsets: readonly number[]): void {
    for (const offset of offsets) {
      const written = numberAt(text, offset);
      const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written;
      const what = `holds the number ${shown}, which programs make ${Number(written)} of; write it as text`;
      this.#fault([], what, placeAt(text, offset));
    }
  }

  read(whole: OwnObject): OwnData {
    const collections = new Map<string, readonly OwnRecord[]>();
    const singles = new Map<string, OwnObject>();
    let schemas: OwnObject = {};
    let records = 0;
    for (const [name, value] of Object.entries(whole)) {
      if (this.#isFull) break;
      if (name === editorsMember) continue;
      if (name === schemasMember) {
        schemas = this.#readSchemas(value);
        continue;
      }
      const fault = nameFault(name);
      if (fault !== undefined) this.#fault([name], fault);
      else if (Array.isArray(value)) {
        records += value.length;
        if (records <= maxRecords) collections.set(name, this.#readRecords(name, value));
      } else if (isObject(value)) singles.set(name, this.#take(value, [name]) as OwnObject);
      else {
        const what = `must be an array of records or an object; got ${kindOf(value)}`;
        this.#fault([name], what);
      }
    }
    if (records > maxRecords)
      this.#fault([], `must hold at most ${maxRecords} records; got ${records}`);
    const count = collections.size + singles.size;
    if (count > maxCollections) {
      this.#fault(
        [],
        `must hold at most ${maxCollections} collections and single resources; got ${count}`,
      );
    }
    const names = Object.keys(whole).filter((name) => collections.has(name) || singles.has(name));
    return {
      collections,
      singles,
      names,
      schemas,
      values: this.#values,
      bytes: this.#bytes,
      memberNames: this.#names,
    };
  }

  #readSchemas(value: unknown): OwnObject {
    if (isObject(value)) return this.#take(value, [schemasMember]) as OwnObject;
    this.#fault([schemasMember], `must be an object of JSON Schemas; got ${kindOf(value)}`);
    return {};
  }

  #readRecords(name: string, values: readonly unknown[]): readonly OwnRecord[] {
    /** By their text, since an address has no other: the number 1 and the text "1" are one. */
    const places = new Map<string, number>();
    for (const [index, value] of values.entries()) {
      if (this.#isFull) break;
      if (!isObject(value)) {
        this.#fault([name, index], `must be an object; got ${kindOf(value)}`);
        continue;
      }
      const { id } = value;
      if (id === undefined) continue;
      const fault = idFault(id);
      const earlier = places.get(String(id));
      if (fault !== undefined) this.#fault([name, index, 'id'], fault);
      else if (earlier !== undefined) {
        const what = `is ${JSON.stringify(id)}, which ${name}.${earlier} has as well; an id must be unique`;
        this.#fault([name, index, 'id'], what);
      } else places.set(String(id), index);
    }
    if (this.faults.length > 0) return [];
    const given = idsFor(values as OwnObject[]);
    const records = (values as OwnObject[]).map((value, index) => {
      const record = value.id === undefined ? { id: given(), ...value } : value;
      return this.#take(record, [name, index]) as OwnRecord;
    });
    return Object.freeze(records);
  }

  /** Freezes and counts a value. */
  #take(value: unknown, path: Path): unknown {
    const [name] = path;
    const { bytes, values, hasUnsafeName } = takeValue(value, this.#names);
    this.#values.set(String(name), (this.#values.get(String(name)) ?? 0) + values);
    if (hasUnsafeName) this.#fault(path, unsafeName);
    this.#bytes += bytes;
    return value;
  }
}

/** To be read after the name of a record. */
export const unsafeName =
  'has a member called __proto__, which many programs give a meaning of its own';

const controlCharacter = /\p{Cc}/u;
/** Addresses below `/my` that are no collection's. */
const takenNames = ['openapi.json', '.', '..', '__proto__'];

function nameFault(name: string): string | undefined {
  if (name.startsWith('$')) return 'begins with $, which is kept for $schemas';
  if (takenNames.includes(name.toLowerCase())) return 'has a name that has another meaning here';
  if (name === '' || name.length > 100 || name.includes('/') || controlCharacter.test(name)) {
    return 'has a name that no address can have: 1 to 100 characters, without a slash';
  }
  return undefined;
}

function isObject(value: unknown): value is OwnObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
