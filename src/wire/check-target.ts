/** Checks the form of a request target: RFC 9112 section 3.2. */

import { normalizeHost } from '#base/normalize-host.js';

const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Returns the host of a target in absolute form. */
export function hostOfTarget(target: string): string | undefined {
  return absoluteForm.exec(target)?.[1];
}

/** Returns the fault of a target that the router could confuse with another target. */
export function targetFault(method: string, target: string): string | undefined {
  if (target.includes('#')) {
    return 'The URL contains a #. Do not send fragments; encode # in data as %23.';
  }
  if (target.startsWith('/')) return undefined;
  if (target === '*') {
    if (method === 'OPTIONS') return undefined;
    return 'Only OPTIONS can have the target *, which means the whole server.';
  }
  const host = hostOfTarget(target);
  if (host === undefined) {
    return 'The URL must begin with a slash, or with http:// or https:// and a host.';
  }
  if (normalizeHost(host, 'http') !== undefined) return undefined;
  return 'The URL must have a host name or address, an optional port up to 65535, and no user.';
}
