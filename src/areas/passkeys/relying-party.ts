/** Who the passkeys are for: the host that the browser is on, as its address has it. */

import { isIP } from 'node:net';
import { HttpError } from '../../http/http-error.js';

export interface RelyingParty {
  /** The host name; none where the host is an address, which passkeys cannot be for. */
  readonly id: string | undefined;
  readonly origin: string;
}

export function relyingParty(baseUrl: string): RelyingParty {
  const { origin, hostname } = new URL(baseUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return { id: isAddress ? undefined : hostname, origin };
}

/** Throws 400 where passkeys are impossible. */
export function namedParty(baseUrl: string): { readonly id: string; readonly origin: string } {
  const { id, origin } = relyingParty(baseUrl);
  if (id !== undefined) return { id, origin };
  const { port } = new URL(baseUrl);
  throw new HttpError(
    400,
    `Passkeys are for host names, and ${new URL(baseUrl).hostname} is an address. On the machine itself, use http://localhost${port && `:${port}`}.`,
  );
}
