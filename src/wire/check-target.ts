/** The forms that a request target may have: RFC 9112 section 3.2. */

import { normalizeHost } from '../base/normalize-host.js';

const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Returns the host of a target in absolute form. */
export function hostOfTarget(target: string): string | undefined {
  return absoluteForm.exec(target)?.[1];
}

/** Returns the fault of a target that the router could confuse with another one. */
export function targetFault(method: string, target: string): string | undefined {
  if (target.includes('#')) {
    return 'The URL holds a #. A fragment stays with the client; a # in data is %23.';
  }
  if (target.startsWith('/')) return undefined;
  if (target === '*') {
    if (method === 'OPTIONS') return undefined;
    return 'The target * asks about the whole server, which only OPTIONS can.';
  }
  const host = hostOfTarget(target);
  if (host === undefined) {
    return 'The URL must begin with a slash, or with http:// or https:// and a host.';
  }
  if (normalizeHost(host, 'http') !== undefined) return undefined;
  return 'The URL must name a host name or address with an optional port up to 65535, and no user.';
}
