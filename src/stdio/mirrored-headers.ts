/** Headers that mirror members of a message (revision 2026-07-28, Value Encoding). */

import { isObject, type JsonObject } from '#base/json-object.js';

/** The member that Mcp-Name mirrors, by method. */
export const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const encoded = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const visible = /^[\x20-\x7e\t]*$/;
const safe = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Encodes a value that is no plain text, or looks like an encoded one. */
export function encodeHeader(value: string): string {
  if (safe.test(value) && !encoded.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Decodes a value; returns `undefined` if it is malformed. */
export function decodeHeader(value: string): string | undefined {
  const [, text] = encoded.exec(value) ?? [];
  if (text === undefined) return visible.test(value) ? value : undefined;
  if (!base64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded).equals(bytes) ? decoded : undefined;
}

/** Returns whether a header value is the given member of the body. Integers compare as numbers. */
export function isMirrored(header: string, value: string | number | boolean): boolean {
  const decoded = decodeHeader(header);
  if (decoded === undefined) return false;
  if (typeof value === 'number') return decoded.trim() !== '' && Number(decoded) === value;
  return decoded === String(value);
}

interface MirroredArgument {
  readonly header: string;
  /** Names of the properties that lead to it. */
  readonly path: readonly string[];
}

/** Returns the arguments of a tool that headers mirror. */
function mirroredArguments(
  schema: JsonObject,
  path: readonly string[] = [],
): readonly MirroredArgument[] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const at = [...path, name];
    const header = property['x-mcp-header'];
    const here = typeof header === 'string' ? [{ header: `Mcp-Param-${header}`, path: at }] : [];
    return [...here, ...mirroredArguments(property, at)];
  });
}

interface ArgumentHeader {
  readonly header: string;
  readonly value: string | number | boolean;
}

const valueAt = (path: readonly string[], args: unknown) =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), args);

/** Returns the headers of arguments that a call does not have, or that are null. */
export function absentHeaders(schema: JsonObject = {}, args: unknown): readonly string[] {
  return mirroredArguments(schema).flatMap(({ header, path }) =>
    valueAt(path, args) == null ? [header] : [],
  );
}

/** Returns the headers that a call with these arguments needs. */
export function argumentHeaders(schema: JsonObject = {}, args: unknown): readonly ArgumentHeader[] {
  return mirroredArguments(schema).flatMap(({ header, path }) => {
    const value = valueAt(path, args);
    // Other values are faults of the arguments.
    const isMirrored = ['string', 'number', 'boolean'].includes(typeof value);
    return isMirrored ? [{ header, value: value as ArgumentHeader['value'] }] : [];
  });
}
