/** Headers that a failure of a status comes with. */

import type { ErrorHeaders } from './http-error.js';

/** What HTTP says a status must come with (RFC 9110 section 15.5, RFC 6585). */
const companions: Readonly<Record<number, ErrorHeaders>> = {
  401: { 'www-authenticate': 'Bearer realm="simulated"' },
  407: { 'proxy-authenticate': 'Bearer realm="simulated"' },
  426: { upgrade: 'HTTP/2.0' },
};

/** `methodsHere` says which verbs the path takes. */
export function companionsOf(status: number, methodsHere: () => readonly string[]): ErrorHeaders {
  if (status === 405) return { allow: methodsHere().join(', ') };
  return companions[status] ?? {};
}
