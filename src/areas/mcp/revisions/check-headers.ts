/** Compares headers with the members of the body that they mirror (revision 2026-07-28). */

import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { RpcRequest } from '../messages/message.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import { decodeHeader, isMirrored } from './header-value.js';

const mismatch = (message: string) =>
  new RpcError(codes.headerMismatch, `Header mismatch: ${message}`, undefined, 400);

/** The member that Mcp-Name mirrors, by method. */
const nameSources: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Throws an error with code -32020 for a missing or different header. */
export function checkHeaders(
  headers: IncomingHttpHeaders,
  { method, params }: RpcRequest,
  version: string,
): void {
  checkPlain(headers, 'MCP-Protocol-Version', version);
  checkPlain(headers, 'Mcp-Method', method);
  const source = nameSources[method];
  const name = source === undefined ? undefined : params[source];
  if (typeof name === 'string') checkEncoded(headers, 'Mcp-Name', name);
}

function checkPlain(headers: IncomingHttpHeaders, name: string, value: string): void {
  const sent = headers[name.toLowerCase()];
  if (sent === undefined) throw mismatch(`${name} is missing.`);
  if (sent !== value) throw mismatch(`${name} must be "${value}", as in the body; got "${sent}".`);
}

function checkEncoded(
  headers: IncomingHttpHeaders,
  name: string,
  value: string | number | boolean,
): void {
  const sent = headers[name.toLowerCase()];
  if (typeof sent !== 'string') throw mismatch(`${name} is missing.`);
  if (decodeHeader(sent) === undefined) throw mismatch(`${name} has invalid characters.`);
  if (!isMirrored(sent, value)) {
    throw mismatch(`${name} must be "${value}", as in the body; got "${sent}".`);
  }
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

/** Returns the headers that a call with these arguments needs. */
export function argumentHeaders(schema: JsonObject = {}, args: unknown): readonly ArgumentHeader[] {
  return mirroredArguments(schema).flatMap(({ header, path }) => {
    const value = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), args);
    // Other values are faults of the arguments.
    const isMirrored = ['string', 'number', 'boolean'].includes(typeof value);
    return isMirrored ? [{ header, value: value as ArgumentHeader['value'] }] : [];
  });
}

export function checkArgumentHeaders(
  headers: IncomingHttpHeaders,
  schema: JsonObject,
  args: unknown,
): void {
  for (const { header, value } of argumentHeaders(schema, args)) {
    checkEncoded(headers, header, value);
  }
}
