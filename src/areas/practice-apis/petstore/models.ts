/** The models of Petstore: their members, and values of JSON and XML as models. */

import { isObject } from '#base/json-object.js';
import { parseJson } from '#http/json/parse-json.js';
import { readJson } from '../dialect/declaration.js';

type MemberType =
  | 'int64'
  | 'int32'
  | 'string'
  | 'boolean'
  | 'date-time'
  | 'strings'
  | 'Tag[]'
  | 'Category';

const { models } = readJson('petstore') as {
  readonly models: Readonly<Record<string, Readonly<Record<string, MemberType>>>>;
};

export type ModelName = 'Category' | 'Tag' | 'Pet' | 'Order' | 'User';

/** The value cannot be of its model. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

const fail = (): never => {
  throw new BadInput();
};

const int64Limit = 2n ** 63n;

/** Integers beyond the exact ones of JavaScript are texts of digits. */
export function readInt64(given: unknown): number | string {
  const text = String(given).trim();
  if (!/^-?\d{1,19}$/.test(text)) return fail();
  const value = BigInt(text);
  if (value >= int64Limit || value < -int64Limit) return fail();
  return Number.isSafeInteger(Number(text)) ? Number(text) : String(value);
}

/** Lists in XML are in an element with one member. */
function listOf(given: unknown): readonly unknown[] {
  if (given === '') return [];
  const inner = isObject(given) ? Object.values(given)[0] : given;
  return inner === undefined ? [] : [inner].flat();
}

const readers: Readonly<Record<MemberType, (given: unknown) => unknown>> = {
  int64: readInt64,
  int32: (given) => (/^-?\d{1,10}$/.test(String(given)) ? Number(given) : fail()),
  string: (given) => (typeof given === 'object' ? fail() : String(given)),
  boolean: (given) => (/^(?:true|false)$/.test(String(given)) ? String(given) === 'true' : fail()),
  'date-time': (given) => {
    const ms = typeof given === 'number' ? given : Date.parse(String(given));
    return Number.isFinite(ms) && Math.abs(ms) < 8.64e15
      ? new Date(ms).toISOString().replace('Z', '+0000')
      : fail();
  },
  strings: (given) => listOf(given).map((each) => readers.string(each)),
  'Tag[]': (given) => listOf(given).map((each) => readModel('Tag', each)),
  Category: (given) => readModel('Category', given),
};

/** Reads the known members of a value, in their order. Throws {@link BadInput}. */
export function readModel(name: ModelName, given: unknown): Record<string, unknown> {
  if (!isObject(given)) return fail();
  const members = Object.entries(models[name] ?? {});
  return Object.fromEntries(
    members.flatMap(([member, type]) => {
      const value = Object.hasOwn(given, member) ? given[member] : undefined;
      return value === undefined || value === null ? [] : [[member, readers[type](value)]];
    }),
  );
}

/** Parses JSON with exact integers, which are texts if they are long. */
export function parseExactly(text: string): unknown {
  const value = parseJson(text, 10_000);
  if (!/\d{16}/.test(text)) return value;
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}

/** Writes ids as numbers. Inside a text, the quotes of such a member would have backslashes. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value).replace(/"(id|petId)":"(-?\d{1,19})"/g, '"$1":$2');
}
