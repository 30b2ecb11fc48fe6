/** Compares headers with the members of the body that they mirror (revision 2026-07-28). */

import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '#base/json-object.js';
import { argumentHeaders, decodeHeader, isMirrored, nameSources } from '#stdio/mirrored-headers.js';
import type { RpcRequest } from '../messages/message.js';
import { codes, RpcError } from '../messages/rpc-error.js';

const mismatch = (message: string) =>
  new RpcError(codes.headerMismatch, `Header mismatch: ${message}`, undefined, 400);

/** Throws an error with code -32020 for a missing or different header. */
export function checkHeaders(
  headers: IncomingHttpHeaders,
  { method, params }: RpcRequest,
  version: string,
): void {
  checkPlain(headers, 'MCP-Protocol-Version', version);
  checkPlain(headers, 'Mcp-Method', method);
  const source = nameSources.get(method);
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

export function checkArgumentHeaders(
  headers: IncomingHttpHeaders,
  schema: JsonObject,
  args: unknown,
): void {
  for (const { header, value } of argumentHeaders(schema, args)) {
    checkEncoded(headers, header, value);
  }
}
