/** What a report says about a response: text, a status, or parts of the response. */

import { cutText } from '../../../base/text/cut-text.js';
import type { Outcome } from './differences.js';

interface Claim {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
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
  return isOfParts ? (value as Claim) : { body: value };
}

/** Returns how a response differs from what the report says; `undefined` if it fits. */
export function contradictionOf(value: unknown, outcome: Outcome): string | undefined {
  const claim = readClaim(value);
  if (claim === undefined) return undefined;
  if (claim.status !== undefined && claim.status !== outcome.status) {
    return `status ${outcome.status} instead of ${shown(claim.status)}`;
  }
  for (const [name, wanted] of Object.entries(claim.headers ?? {})) {
    const sent = outcome.headers[name.toLowerCase()];
    if (wanted === null ? sent !== undefined : String(wanted) !== sent) {
      return `${cutText(name, 60)}: ${sent === undefined ? 'absent' : shown(sent)}`;
    }
  }
  if (claim.body === undefined || isIn(claim.body, outcome.body)) return undefined;
  return 'another body';
}

const shown = (value: unknown) => cutText(String(value), 60);

/** Whether all members of a value have the same value in another one; lists must be equal. */
function isIn(part: unknown, whole: unknown, depth = 0): boolean {
  if (part === whole) return true;
  if (typeof part !== 'object' || typeof whole !== 'object' || depth > 60) return false;
  if (part === null || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  if (Array.isArray(part) && part.length !== (whole as readonly unknown[]).length) return false;
  const members = whole as Readonly<Record<string, unknown>>;
  return Object.entries(part).every(([name, value]) => isIn(value, members[name], depth + 1));
}
