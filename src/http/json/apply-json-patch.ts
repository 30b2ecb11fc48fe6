/** JSON patches: RFC 6902. Only what a document holds itself is found by a path, and of an array its items. */

import { cutText } from '../../base/text/cut-text.js';
import { HttpError } from '../http-error.js';
import { countValues } from './count-values.js';
import { isSameJson } from './is-same-json.js';
import { writeJsonPointer } from './json-pointer.js';
import { maxJsonDepth } from './parse-json.js';
import type { Names, PatchOperation } from './parse-json-patch.js';

/** The size of all copies and moves of one patch together, since each copy can double the document. */
const maxMovedCharacters = 2 * 1024 * 1024;
const maxMovedValues = 100_000;

type Container = Record<string, unknown> | unknown[];

/**
 * What the operations make of the document, neither of which is changed. Throws 409 with `index`, that of the
 * operation which fails, and the `path` at which it does.
 */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const patching = new Patching(document);
  for (const [index, operation] of operations.entries()) patching.apply(operation, index);
  return patching.document;
}

class Patching {
  readonly #root: Record<string, unknown>;
  #movedCharacters = 0;
  #movedValues = 0;
  #operation!: PatchOperation;
  #index = 0;

  constructor(document: unknown) {
    this.#root = { document: copyOf(document) };
  }

  get document(): unknown {
    return this.#root.document;
  }

  apply(operation: PatchOperation, index: number): void {
    this.#operation = operation;
    this.#index = index;
    const { op, path, from, value } = operation;
    if (op === 'add') this.#put(path, copyOf(value));
    else if (op === 'remove') removeAt(this.#find(path));
    else if (op === 'replace') setAt(this.#find(path), copyOf(value));
    else if (op === 'test') this.#test(path, value);
    else if (op === 'copy')
      this.#put(path, JSON.parse(this.#weigh(valueAt(this.#find(from)), path)));
    else this.#move(from, path);
  }

  #test(path: Names, value: unknown): void {
    const found = valueAt(this.#find(path));
    if (isSameJson(found, value)) return;
    const where = describe(path);
    throw this.#failed(path, `wants ${shown(value)} at ${where}, where there is ${shown(found)}.`);
  }

  #move(from: Names, path: Names): void {
    const place = this.#find(from);
    if (isSamePath(from, path)) return;
    if (isBelow(path, from)) throw this.#failed(path, 'moves a value into itself.');
    const value = valueAt(place);
    this.#weigh(value, path);
    removeAt(place);
    this.#put(path, value);
  }

  #find(path: Names): Place {
    const place = findPlace(this.#root, path);
    if (place === undefined || !isThere(place)) throw this.#failed(path, nothingAt(path, place));
    return place;
  }

  #put(path: Names, value: unknown): void {
    const place = findPlace(this.#root, path);
    if (place === undefined || !canAdd(place)) throw this.#failed(path, nothingAt(path, place));
    addAt(place, value);
  }

  /** The value as JSON; throws 400 where it would be too deep, or too much has been copied by now. */
  #weigh(value: unknown, path: Names): string {
    this.#movedValues += countValues(value, maxMovedValues);
    const mayMove =
      this.#movedValues <= maxMovedValues && path.length + depthOf(value) <= maxJsonDepth;
    const text = mayMove ? JSON.stringify(value) : undefined;
    this.#movedCharacters += text?.length ?? 0;
    if (text !== undefined && this.#movedCharacters <= maxMovedCharacters) return text;
    const most = `${maxMovedCharacters} characters or ${maxMovedValues} values`;
    throw new HttpError(
      400,
      `The patch copies and moves more than ${most}, or values more than ${maxJsonDepth} levels deep.`,
    );
  }

  #failed(path: Names, what: string): HttpError {
    const message = `Operation ${this.#index} of the patch (${this.#operation.op}) ${what}`;
    return new HttpError(409, message, {
      body: { index: this.#index, path: writeJsonPointer(path) },
    });
  }
}

/** A member of an object, or an item of an array, whether it is there or not. */
interface Place {
  readonly holder: Container;
  readonly name: string;
}

/** `undefined` when there is nothing that could hold it. */
function findPlace(root: Container, path: Names): Place | undefined {
  let place: Place = { holder: root, name: 'document' };
  for (const name of path) {
    const holder = isThere(place) ? valueAt(place) : undefined;
    if (typeof holder !== 'object' || holder === null) return undefined;
    place = { holder: holder as Container, name };
  }
  return place;
}

const arrayIndex = /^(?:0|[1-9]\d{0,8})$/;

function isThere(place: Place | undefined): boolean {
  if (place === undefined) return false;
  const { holder, name } = place;
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
  // Assigned, `__proto__` would be no member.
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

function isBelow(path: Names, above: Names): boolean {
  return path.length > above.length && above.every((name, index) => name === path[index]);
}

function isSamePath(a: Names, b: Names): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
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
