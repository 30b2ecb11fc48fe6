/** Parses JSON patches (RFC 6902 section 4) and their JSON Pointers (RFC 6901). */

import { type FieldFault, HttpError, rejectFaults } from '#http/http-error.js';
import { maxJsonDepth } from '#http/json/parse-json.js';

export interface PatchOperation {
  readonly op: (typeof operators)[number];
  readonly path: Names;
  /** For `move` and `copy`. */
  readonly from: Names;
  /** For `add`, `replace` and `test`. */
  readonly value: unknown;
}

/** The names in a JSON Pointer. */
export type Names = readonly string[];

export const jsonPatchType = 'application/json-patch+json';

const operators = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
const withValue: readonly string[] = ['add', 'replace', 'test'];
const withFrom: readonly string[] = ['move', 'copy'];

/** Throws 400 with the errors of each operation. Ignores unknown members. */
export function parseJsonPatch(body: unknown): readonly PatchOperation[] {
  if (!Array.isArray(body)) {
    throw new HttpError(400, 'A JSON patch must be an array of operations (RFC 6902).');
  }
  const faults: FieldFault[] = [];
  const operations = body.map((operation, index) => parseOperation(operation, index, faults));
  rejectFaults(faults);
  return operations as readonly PatchOperation[];
}

function parseOperation(
  operation: unknown,
  index: number,
  faults: FieldFault[],
): PatchOperation | undefined {
  const fault = (member: string, message: string) => {
    const field = member === '' ? String(index) : `${index}.${member}`;
    faults.push({ field, message: `Operation ${index} of the patch: ${message}` });
  };
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    fault('', 'it must be an object such as {"op": "remove", "path": "/title"}.');
    return undefined;
  }
  const { op, path, from, value } = operation as Readonly<Record<string, unknown>>;
  const readPointer = (name: string, text: unknown): Names => {
    const names = typeof text === 'string' ? parseJsonPointer(text) : undefined;
    if (names === undefined) fault(name, `${name} must be ${pointerForm}.`);
    return names ?? [];
  };
  if (!operators.some((known) => known === op)) fault('op', `op must be ${operators.join(', ')}.`);
  const parsed = {
    op: op as PatchOperation['op'],
    path: readPointer('path', path),
    from: withFrom.includes(op as string) ? readPointer('from', from) : [],
    value,
  };
  if (withValue.includes(op as string) && !Object.hasOwn(operation, 'value')) {
    fault('value', `${op} needs a value.`);
  }
  return parsed;
}

const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

const pointerForm = `a JSON Pointer: empty, or at most ${maxJsonDepth} names, each with a slash before it, and with ~1 for a slash and ~0 for a tilde`;

/** Returns undefined for an invalid pointer, or a pointer deeper than JSON may be. */
function parseJsonPointer(text: string): Names | undefined {
  const names = text.split('/', maxJsonDepth + 2).slice(1);
  if (names.length > maxJsonDepth || !pointer.test(text)) return undefined;
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function writeJsonPointer(names: Names): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
