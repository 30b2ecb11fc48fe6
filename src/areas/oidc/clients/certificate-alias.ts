/** The aliases of endpoints where clients are asked for certificates (RFC 8705 section 5): browsers would be asked too. */

import { normalizeHost } from '../../../base/normalize-host.js';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { CertificateAuthority } from '../../../kit/certificates/certificate-authority.js';
import { tlsSocketOf } from '../../../kit/connection.js';

/** Below it are the endpoints of the issuer at a host and port. */
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
    'Such an alias has the host and port of an issuer on this machine in it, and is there with TLS alone; mtls_endpoint_aliases of an issuer with https has them.',
  );
}

/**
 * Where certificates are asked for, for the issuer that this request came to: the host itself or one beside it, on the
 * common port. `undefined` without TLS of our own, behind a proxy, and for other machines: its name means their own.
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
