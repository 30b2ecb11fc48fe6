/** Compares the statements of a report with a response: text, a status, or parts of the response. */

import { cutText } from '../../../base/text/cut-text.js';
import type { Outcome } from './differences.js';

interface Claim {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** Such as `404`, `404 Not Found` and `HTTP/1.1 404 Not Found`. */
const statusText = /^(?:HTTP\/\d(?:\.\d)? |status(?: code)? )?([1-5]\d\d)(?: [A-Z][A-Za-z' -]*)?$/i;

const parts = ['status', 'headers', 'body'];

/** Returns `undefined` for text, which is not compared. */
function readClaim(value: unknown): Claim | undefined {
  if (typeof value === 'number') return { status: value };
  if (typeof value === 'string') {
    const [, status] = statusText.exec(value.trim()) ?? [];
    return status === undefined ? undefined : { status: Number(status) };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Object.keys(value);
  const isOfParts = names.length > 0 && names.every((name) => parts.includes(name));
  return isOfParts ? value : { body: value };
}

/**
 * Returns how a response differs from what the report says; `undefined` if it fits. Headers and
 * members of the body count only at `paths`, where defects change them: others, such as times,
 * differ from response to response.
 */
export function contradictionOf(
  value: unknown,
  outcome: Outcome,
  paths: readonly string[],
): string | undefined {
  const claim = readClaim(value);
  if (claim === undefined) return undefined;
  // A bare number may also be a value of the body.
  const isStatus = typeof value === 'object' || paths.includes('status');
  if (isStatus && claim.status !== undefined && Number(claim.status) !== outcome.status) {
    return `status ${outcome.status} instead of ${cutText(String(claim.status), 20)}`;
  }
  const said = { headers: inLowerCase(claim.headers), body: claim.body };
  for (const path of paths) {
    const names = path.split('.');
    const wanted = memberAt(said, names);
    if (wanted === absent || isAlike(wanted, memberAt(outcome, names))) continue;
    return names[0] === 'headers' ? `another header ${names[1]}` : `another ${path}`;
  }
  return undefined;
}

function inLowerCase(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries);
}

const absent = Symbol('absent');

function memberAt(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return absent;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found === undefined ? absent : found;
}

/** Lists are alike if they have the same length: their members may have ids and times. */
function isAlike(said: unknown, sent: unknown): boolean {
  if (said === null) return sent === null || sent === absent;
  if (Array.isArray(said)) return Array.isArray(sent) && said.length === sent.length;
  if (typeof said === 'object') return typeof sent === 'object';
  return sent !== absent && String(said) === String(sent);
}
