/** The relying party of passkeys: the host that the browser is on, as the base URL has it. */

import { isIP } from 'node:net';
import { HttpError } from '../../http/http-error.js';

/** Has no `id` where the host is an IP address: passkeys are for names only. */
export function relyingParty(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return { id: isAddress ? undefined : hostname, origin };
}

/** Throws 400 where passkeys are impossible. */
export function namedParty(baseUrl: string) {
  const { id, origin } = relyingParty(baseUrl);
  if (id !== undefined) return { id, origin };
  const { hostname, port } = new URL(baseUrl);
  throw new HttpError(
    400,
    `Passkeys are for host names, and ${hostname} is an address. On the machine itself, use http://localhost${port && `:${port}`}.`,
  );
}
