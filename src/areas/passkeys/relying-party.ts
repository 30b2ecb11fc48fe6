/** The relying party of passkeys: the host in the base URL. */

import { isIP } from 'node:net';
import { HttpError } from '#http/http-error.js';

/** Has no `id` if the host is an IP address: passkeys belong to host names. */
export function relyingParty(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return { id: isAddress ? undefined : hostname, origin };
}

/** Throws 400 if the host is an IP address. */
export function namedParty(baseUrl: string) {
  const { id, origin } = relyingParty(baseUrl);
  if (id !== undefined) return { id, origin };
  const { hostname, port } = new URL(baseUrl);
  throw new HttpError(
    400,
    `Passkeys need a host name, but ${hostname} is an IP address. On the same machine, use http://localhost${port && `:${port}`}.`,
  );
}
