/** Applies JSON patches: RFC 6902. A path finds only own members of objects, and items of arrays. */

import { cutText } from '#base/text/cut-text.js';
import { HttpError } from '#http/http-error.js';
import { maxJsonDepth } from '#http/json/parse-json.js';
import { countValues } from './count-values.js';
import { type Names, type PatchOperation, writeJsonPointer } from './parse-json-patch.js';

/** Limit for all copies and moves of a patch, because each copy can double the document. */
const maxMovedCharacters = 2 * 1024 * 1024;
const maxMovedValues = 100_000;

/**
 * Returns the patched document; does not change its arguments. Throws 409 with the `index` and `path` of the operation
 * that fails.
 */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { document: copyOf(document) };
  const moved = { characters: 0, values: 0 };
  for (const [index, operation] of operations.entries()) {
    applyOperation(root, operation, moved, (path, what) => {
      const message = `Operation ${index} of the patch (${operation.op}) ${what}`;
      return new HttpError(409, message, { body: { index, path: writeJsonPointer(path) } });
    });
  }
  return root.document;
}

type Moved = { characters: number; values: number };

function applyOperation(
  root: Record<string, unknown>,
  { op, path, from, value }: PatchOperation,
  moved: Moved,
  failure: (path: Names, what: string) => HttpError,
): void {
  const find = (names: Names): Place => {
    const place = findPlace(root, names);
    if (place === undefined || !isThere(place)) throw failure(names, nothingAt(names, place));
    return place;
  };
  const put = (added: unknown): void => {
    const place = findPlace(root, path);
    if (place === undefined || !canAdd(place)) throw failure(path, nothingAt(path, place));
    addAt(place, added);
  };
  if (op === 'add') put(copyOf(value));
  else if (op === 'remove') removeAt(find(path));
  else if (op === 'replace') setAt(find(path), copyOf(value));
  else if (op === 'copy') put(JSON.parse(weigh(valueAt(find(from)), path, moved)));
  else if (op === 'test') {
    const found = valueAt(find(path));
    if (isSameJson(found, value)) return;
    const what = `expects ${shown(value)} at ${describe(path)}, but found ${shown(found)}.`;
    throw failure(path, what);
  } else {
    const place = find(from);
    const isInside = from.every((name, index) => name === path[index]);
    if (isInside && path.length === from.length) return;
    if (isInside) throw failure(path, 'moves a value into itself.');
    const found = valueAt(place);
    weigh(found, path, moved);
    removeAt(place);
    put(found);
  }
}

/** Returns the value as JSON. Throws 400 if it is too deep, or too much has been copied. */
function weigh(value: unknown, path: Names, moved: Moved): string {
  moved.values += countValues(value, maxMovedValues);
  const mayMove = moved.values <= maxMovedValues && path.length + depthOf(value) <= maxJsonDepth;
  const text = mayMove ? JSON.stringify(value) : undefined;
  moved.characters += text?.length ?? 0;
  if (text !== undefined && moved.characters <= maxMovedCharacters) return text;
  const most = `${maxMovedCharacters} characters or ${maxMovedValues} values`;
  throw new HttpError(
    400,
    `The patch copies or moves more than ${most}, or values more than ${maxJsonDepth} levels deep.`,
  );
}

/** A member of an object, or an item of an array, which may not exist. */
interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string;
}

/** Returns undefined if the parent does not exist. */
function findPlace(root: Place['holder'], path: Names): Place | undefined {
  let place: Place = { holder: root, name: 'document' };
  for (const name of path) {
    const holder = isThere(place) ? valueAt(place) : undefined;
    if (typeof holder !== 'object' || holder === null) return undefined;
    place = { holder: holder as Place['holder'], name };
  }
  return place;
}

const arrayIndex = /^(?:0|[1-9]\d{0,8})$/;

function isThere({ holder, name }: Place): boolean {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, name);
  return arrayIndex.test(name) && Number(name) < holder.length;
}

function canAdd({ holder, name }: Place): boolean {
  if (!Array.isArray(holder) || name === '-') return true;
  return arrayIndex.test(name) && Number(name) <= holder.length;
}

function valueAt({ holder, name }: Place): unknown {
  return (holder as Record<string, unknown>)[name];
}

function addAt({ holder, name }: Place, value: unknown): void {
  if (!Array.isArray(holder)) setAt({ holder, name }, value);
  else holder.splice(name === '-' ? holder.length : Number(name), 0, value);
}

function setAt({ holder, name }: Place, value: unknown): void {
  // An assignment to `__proto__` would not create a member.
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function removeAt({ holder, name }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

/** Compares numbers by value, and objects regardless of order (section 4.6). */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const others = b as Readonly<Record<string, unknown>>;
  return (
    Object.keys(a).length === Object.keys(b).length &&
    Object.entries(a).every(
      ([name, value]) => Object.hasOwn(b, name) && isSameJson(value, others[name]),
    )
  );
}

function depthOf(value: unknown, most = maxJsonDepth): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (most === 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child, most - 1));
  return deepest + 1;
}

function copyOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function describe(path: Names): string {
  return path.length === 0 ? 'the root' : cutText(writeJsonPointer(path), maxShown);
}

function nothingAt(path: Names, place: Place | undefined): string {
  const where = `finds nothing at ${describe(path)}`;
  if (place === undefined || !Array.isArray(place.holder)) return `${where}.`;
  return `${where}, in an array of ${place.holder.length}.`;
}

const maxShown = 100;

function shown(value: unknown): string {
  return cutText(JSON.stringify(value), maxShown);
}
