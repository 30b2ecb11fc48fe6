/**
 * Requests the client's certificate during one TLS handshake.
 *
 * Reason: Node requests certificates from all clients of a server or from none, and browsers would
 * ask their users. Without `setVerifyMode` of the handle, no client is asked,
 * https://mtls.localhost reports that none was sent, and `test/tls/trust.test.ts` fails.
 */

import type { TLSSocket } from 'node:tls';

interface Handle {
  setVerifyMode?(isRequested: boolean, isRequired: boolean): void;
}

/** Accepts every certificate, because the application checks it. */
export function requestCertificate(socket: TLSSocket): void {
  const { _handle: handle } = socket as TLSSocket & { readonly _handle?: Handle };
  handle?.setVerifyMode?.(true, false);
}
