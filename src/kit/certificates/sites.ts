/** THE list of servers with TLS: valid ones, and others that a client must reject. */

import type { TlsOptions } from 'node:tls';
import type { Issuers } from './issuers.js';
import {
  type CertificatePlan,
  type Identity,
  makeCertificate,
  makeKeys,
} from './make-certificate.js';

export interface Site {
  readonly name: string;
  /** The host name of its URL; the certificate may have another. */
  readonly host: string;
  readonly what: string;
  /** The behaviour of a client that checks everything. */
  readonly rightClient: 'connects' | 'refuses';
  /** Differences of its certificate from a valid one. */
  readonly differs?: (context: SiteContext) => Promise<Partial<CertificatePlan>>;
  /** Options of a separate port, if the site needs one. */
  readonly ownPort?: TlsOptions;
  /** Whether clients are asked for a certificate. */
  readonly requestsCertificate?: true;
}

export interface SiteContext {
  readonly issuers: Issuers;
  readonly nowMs: number;
  readonly keys: CertificatePlan['keys'];
  /** The URL of the intermediate's revocation list. */
  readonly crlUrl: string;
}

const dayMs = 24 * 3600 * 1000;
const validDays = 90;

/** Allows ciphers and signatures that OpenSSL disables by default. */
const anyStrength = 'DEFAULT:@SECLEVEL=0';

const onlyVersion = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): TlsOptions => ({
  minVersion: version,
  maxVersion: version,
  ciphers: anyStrength,
});

export const sites = [
  {
    name: 'good',
    host: 'good.localhost',
    what: 'A certificate as it should be; also what localhost and addresses get.',
    rightClient: 'connects',
    differs: async () => ({ altNames: ['good.localhost', 'localhost', '127.0.0.1', '::1'] }),
  },
  {
    name: 'expired',
    host: 'expired.localhost',
    what: 'A certificate that ended yesterday.',
    rightClient: 'refuses',
    differs: async ({ nowMs }) => ({
      notBefore: new Date(nowMs - (validDays + 1) * dayMs),
      notAfter: new Date(nowMs - dayMs),
    }),
  },
  {
    name: 'not-yet-valid',
    host: 'not-yet-valid.localhost',
    what: 'A certificate that begins in a month.',
    rightClient: 'refuses',
    differs: async ({ nowMs }) => ({ notBefore: new Date(nowMs + 30 * dayMs) }),
  },
  {
    name: 'wrong-host',
    host: 'wrong-host.localhost',
    what: 'The certificate of another host, someone-else.localhost.',
    rightClient: 'refuses',
    differs: async () => ({
      commonName: 'someone-else.localhost',
      altNames: ['someone-else.localhost'],
    }),
  },
  {
    name: 'self-signed',
    host: 'self-signed.localhost',
    what: 'A certificate that nobody but itself vouches for.',
    rightClient: 'refuses',
    differs: async () => ({ issuer: undefined, crlUrl: undefined }),
  },
  {
    name: 'untrusted-root',
    host: 'untrusted-root.localhost',
    what: 'A certificate of a root that nobody trusts.',
    rightClient: 'refuses',
    differs: async ({ issuers }) => ({ issuer: await issuers.foreignRoot() }),
  },
  {
    name: 'missing-intermediate',
    host: 'missing-intermediate.localhost',
    what: 'The server leaves out the certificate between its own and the root.',
    rightClient: 'refuses',
    differs: async ({ issuers }) => ({
      issuer: await issuers.hiddenIntermediate(),
      chainPem: '',
    }),
  },
  {
    name: 'revoked',
    host: 'revoked.localhost',
    what: 'A certificate on the list of revoked ones, whose address it has in it.',
    rightClient: 'refuses',
    differs: async ({ crlUrl }) => ({ crlUrl, serialOf: revokedSite }),
  },
  {
    name: 'no-san',
    host: 'no-san.localhost',
    what: 'The host stands in the common name alone, where nobody has looked since RFC 9525.',
    rightClient: 'refuses',
    differs: async () => ({ altNames: [] }),
  },
  {
    name: 'wildcard',
    host: 'any.wildcard.localhost',
    what: 'A certificate for *.wildcard.localhost: one label in place of the star, not two.',
    rightClient: 'connects',
    differs: async () => ({
      commonName: '*.wildcard.localhost',
      altNames: ['*.wildcard.localhost'],
    }),
  },
  {
    name: 'hsts',
    host: 'hsts.localhost',
    what: 'Sends Strict-Transport-Security, for an hour; no other does.',
    rightClient: 'connects',
  },
  {
    name: 'mtls',
    host: 'mtls.localhost',
    what: 'Asks for a certificate of the client; GET /api/auth/mtls says what it thinks of it.',
    rightClient: 'connects',
    requestsCertificate: true,
  },
  {
    name: 'sha1',
    host: 'sha1.localhost',
    what: 'A certificate that is signed with SHA-1.',
    rightClient: 'refuses',
    differs: async () => ({ hash: 'SHA-1' }),
    ownPort: { ciphers: anyStrength },
  },
  {
    name: 'short-key',
    host: 'short-key.localhost',
    what: 'An RSA key of 1,024 bits.',
    rightClient: 'refuses',
    differs: async () => ({ keys: await makeKeys(1024) }),
    ownPort: { ciphers: anyStrength },
  },
  {
    name: 'tls1-0',
    host: 'tls1-0.localhost',
    what: 'Speaks TLS 1.0 alone.',
    rightClient: 'refuses',
    ownPort: onlyVersion('TLSv1'),
  },
  {
    name: 'tls1-1',
    host: 'tls1-1.localhost',
    what: 'Speaks TLS 1.1 alone.',
    rightClient: 'refuses',
    ownPort: onlyVersion('TLSv1.1'),
  },
  {
    name: 'tls1-2',
    host: 'tls1-2.localhost',
    what: 'Speaks TLS 1.2 alone.',
    rightClient: 'connects',
    ownPort: onlyVersion('TLSv1.2'),
  },
  {
    name: 'tls1-3',
    host: 'tls1-3.localhost',
    what: 'Speaks TLS 1.3 alone.',
    rightClient: 'connects',
    ownPort: { minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' },
  },
  {
    name: 'weak-cipher',
    host: 'weak-cipher.localhost',
    what: 'Agrees on a cipher that encrypts nothing, and on no other.',
    rightClient: 'refuses',
    ownPort: { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' },
  },
  {
    name: 'alpn-none',
    host: 'alpn-none.localhost',
    what: 'Takes part in no ALPN, so that HTTP/1.1 is spoken.',
    rightClient: 'connects',
    ownPort: { ALPNProtocols: [] },
  },
] as const satisfies readonly Site[];

/** The name that decides the serial number of the revoked site. */
export const revokedSite = 'revoked site';

/** Sites with a separate port, in the order of these ports. */
export const sitesWithOwnPort: readonly Site[] = sites.filter(
  (site: Site) => site.ownPort !== undefined,
);

/** Returns the site for a server name on the common port. */
export function siteAt(servername: string): Site {
  const found = sites.find(
    ({ host, ownPort }: Site) => host === servername && ownPort === undefined,
  );
  if (found !== undefined) return found;
  const name = servername.endsWith('.wildcard.localhost') ? 'wildcard' : 'good';
  return sites.find((site) => site.name === name) ?? sites[0];
}

export async function makeSite(site: Site, context: Omit<SiteContext, 'keys'>): Promise<Identity> {
  const { issuers, nowMs } = context;
  const keys = await makeKeys();
  return makeCertificate({
    commonName: site.host,
    keys,
    issuer: await issuers.intermediate(),
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(nowMs + validDays * dayMs),
    altNames: [site.host],
    usages: ['server'],
    ...(await site.differs?.({ ...context, keys })),
  });
}
