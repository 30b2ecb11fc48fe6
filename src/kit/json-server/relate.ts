/** Adds related records to each item of a list, like json-server's _embed and _expand. */

import { requireLazily } from '#base/require-lazily.js';
import { HttpError } from '#http/http-error.js';

const inflection = requireLazily<typeof import('inflection')>('inflection');

export const singular = (word: string) => inflection().singularize(word);
export const plural = (word: string) => inflection().pluralize(word);

/** Reads a collection or a single resource by its exact name; `undefined` for an unknown name. */
export type ReadMember = (name: string) => Promise<unknown>;

export interface Names {
  readonly id: string;
  readonly foreignKeySuffix: string;
}

type Item = Readonly<Record<string, unknown>>;
/** Adds related records to an item. */
export type Relate = (item: Item) => Item;

const maxNames = 20;

export function checkNames(names: readonly string[]): void {
  if (names.length > maxNames) {
    throw new HttpError(400, `_embed and _expand must have at most ${maxNames} names.`);
  }
}

const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** Finds records whose foreign key is the item's id, with the same type. An unknown collection has none. */
export async function embed0(
  collection: string,
  name: string,
  { id, foreignKeySuffix }: Names,
  read: ReadMember,
): Promise<Relate> {
  const key = singular(collection) + foreignKeySuffix;
  const byKey = groupBy(valuesOf(await read(name)), key);
  return (item) => ({ ...item, [name]: byKey.get(item[id]) ?? [] });
}

function groupBy(items: readonly unknown[], key: string): ReadonlyMap<unknown, readonly unknown[]> {
  const groups = new Map<unknown, unknown[]>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null || !Object.hasOwn(item, key)) continue;
    const value = (item as Item)[key];
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [item]);
    else group.push(item);
  }
  return groups;
}

/** Finds the record that a foreign key names. Compares ids as text. */
export async function expand0(
  word: string,
  { id, foreignKeySuffix }: Names,
  read: ReadMember,
): Promise<Relate> {
  const others = await read(plural(word));
  if (!others) return (item) => item;
  const byId = firstById(valuesOf(others), id);
  return (item) => {
    const { [word]: _earlier, ...rest } = item;
    const wanted = item[word + foreignKeySuffix] ?? undefined;
    const found = wanted === undefined ? undefined : byId.get(String(wanted));
    return found === undefined ? rest : { ...item, [word]: found };
  };
}

function firstById(items: readonly unknown[], idName: string): ReadonlyMap<string, unknown> {
  const byId = new Map<string, unknown>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    const id = (item as Item)[idName];
    if (id !== undefined && id !== null && !byId.has(String(id))) byId.set(String(id), item);
  }
  return byId;
}

/** A singular word embeds the parent, a plural word the children. Compares ids with their types. */
export async function embed1(
  collection: string,
  name: string,
  { id, foreignKeySuffix }: Names,
  read: ReadMember,
): Promise<Relate> {
  const isParent = singular(name) === name;
  const others = await read(isParent ? plural(name) : name);
  if (!Array.isArray(others)) return (item) => item;
  if (!isParent) {
    const byKey = groupBy(others, singular(collection) + foreignKeySuffix);
    return (item) => ({ ...item, [name]: byKey.get(item[id]) ?? [] });
  }
  const byId = groupBy(others, id);
  return (item) => {
    const [found] = byId.get(item[name + foreignKeySuffix]) ?? [];
    const { [name]: _earlier, ...rest } = item;
    return found === undefined ? rest : { ...item, [name]: found };
  };
}
