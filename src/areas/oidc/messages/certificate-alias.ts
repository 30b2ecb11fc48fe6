/**
 * Aliases of endpoints that request client certificates (RFC 8705 section 5). Otherwise, all browsers would be
 * prompted.
 */

import { normalizeHost } from '#base/normalize-host.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { CertificateAuthority } from '#kit/certificates/certificate-authority.js';
import { tlsSocketOf } from '#kit/connection.js';

/** The path of the aliases, for the issuer at a host and port. */
export const aliasPattern = '/oidc/certificates/:authority';

const thisMachine = /^(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export function aliasPath(authority: string): string {
  return aliasPattern.replace(':authority', authority);
}

export function aliasedAuthority({ params }: Pick<Request, 'params'>): string | undefined {
  return (params as { readonly authority?: string } | undefined)?.authority;
}

export async function checkAlias(request: Request): Promise<void> {
  const authority = aliasedAuthority(request) ?? '';
  const isSpelledWell = normalizeHost(authority, 'https') === authority;
  if (isSpelledWell && thisMachine.test(authority) && tlsSocketOf(request) !== undefined) return;
  throw new HttpError(
    404,
    'Such an alias contains the host and port of an issuer on this machine, and exists only with TLS. mtls_endpoint_aliases lists the aliases of an issuer with https.',
  );
}

/**
 * Returns the host that requests certificates for this request's issuer: the same host or a sibling, on the same port.
 * Returns `undefined` without TLS, behind a proxy, and on other machines, where the name would mean the client's own
 * machine.
 */
export function certificateHost(
  request: Request,
  certificates: CertificateAuthority | undefined,
  issuerUrl: string,
): string | undefined {
  const socket = tlsSocketOf(request);
  if (certificates === undefined || socket?.localPort !== certificates.port) return undefined;
  const { protocol, host, port } = new URL(issuerUrl);
  const isDirect = normalizeHost(request.headers.host ?? '', 'https') === host;
  const asking = certificates.addresses.find(({ site }) => site.requestsCertificate)?.site.host;
  if (protocol !== 'https:' || !isDirect || !thisMachine.test(host)) return undefined;
  return port === '' ? asking : `${asking}:${port}`;
}
