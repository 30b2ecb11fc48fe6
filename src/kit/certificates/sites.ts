/** TLS servers: valid, and with faults that a client must detect. */

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
  /** Host name of its URL; the certificate may have another. */
  readonly host: string;
  readonly what: string;
  /** Behaviour of a client that checks everything. */
  readonly rightClient: 'connects' | 'refuses';
  /** Differences of its certificate from a valid one. */
  readonly differs?: (context: SiteContext) => Promise<Partial<CertificatePlan>>;
  readonly ownPort?: TlsOptions;
  readonly requestsCertificate?: true;
  /**
   * Whether its certificate is also for localhost, so that a client of localhost can continue here.
   */
  readonly isAlsoLocalhost?: true;
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

function site(
  name: string,
  rightClient: Site['rightClient'],
  what: string,
  more: Partial<Site> = {},
): Site {
  return { name, host: `${name}.localhost`, what, rightClient, ...more };
}

export const sites: readonly Site[] = [
  site('good', 'connects', 'A valid certificate; also used for localhost and IP addresses.', {
    isAlsoLocalhost: true,
  }),
  site('expired', 'refuses', 'A certificate that expired yesterday.', {
    differs: async ({ nowMs }) => ({
      notBefore: new Date(nowMs - (validDays + 1) * dayMs),
      notAfter: new Date(nowMs - dayMs),
    }),
  }),
  site('not-yet-valid', 'refuses', 'A certificate that is valid in a month.', {
    differs: async ({ nowMs }) => ({ notBefore: new Date(nowMs + 30 * dayMs) }),
  }),
  site('wrong-host', 'refuses', 'The certificate of another host, someone-else.localhost.', {
    differs: async () => namedOnly('someone-else.localhost'),
  }),
  site('self-signed', 'refuses', 'A self-signed certificate.', {
    differs: async () => ({ issuer: undefined, crlUrl: undefined }),
  }),
  site('untrusted-root', 'refuses', 'A certificate of an untrusted root.', {
    differs: async ({ issuers }) => ({ issuer: await issuers.foreignRoot() }),
  }),
  site(
    'missing-intermediate',
    'refuses',
    'The server does not send its intermediate certificate.',
    {
      differs: async ({ issuers }) => ({
        issuer: await issuers.hiddenIntermediate(),
        chainPem: '',
      }),
    },
  ),
  site('revoked', 'refuses', 'A revoked certificate, with the URL of its revocation list.', {
    differs: async ({ crlUrl }) => ({ crlUrl, serialOf: revokedSite }),
  }),
  site(
    'no-san',
    'refuses',
    'The host is only in the common name, which clients ignore since RFC 9525.',
    { differs: async () => ({ altNames: [] }) },
  ),
  site(
    'wildcard',
    'connects',
    'A certificate for *.wildcard.localhost: the star matches one label, not two.',
    { host: 'any.wildcard.localhost', differs: async () => namedOnly('*.wildcard.localhost') },
  ),
  site('hsts', 'connects', 'Only this server sends Strict-Transport-Security, for an hour.'),
  site(
    'mtls',
    'connects',
    'Requests a client certificate; GET /api/auth/mtls reports the result.',
    { requestsCertificate: true },
  ),
  site('sha1', 'refuses', 'A certificate that is signed with SHA-1.', {
    differs: async () => ({ hash: 'SHA-1' }),
    ownPort: { ciphers: anyStrength },
  }),
  site('short-key', 'refuses', 'An RSA key of 1,024 bits.', {
    differs: async () => ({ keys: await makeKeys(1024) }),
    ownPort: { ciphers: anyStrength },
  }),
  site('tls1-0', 'refuses', 'Supports only TLS 1.0.', { ownPort: onlyVersion('TLSv1') }),
  site('tls1-1', 'refuses', 'Supports only TLS 1.1.', { ownPort: onlyVersion('TLSv1.1') }),
  site('tls1-2', 'connects', 'Supports only TLS 1.2.', { ownPort: onlyVersion('TLSv1.2') }),
  site('tls1-3', 'connects', 'Supports only TLS 1.3.', {
    ownPort: { minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' },
  }),
  site('weak-cipher', 'refuses', 'Accepts only a cipher without encryption.', {
    ownPort: { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' },
  }),
  site('alpn-none', 'connects', 'Does not support ALPN, so clients use HTTP/1.1.', {
    ownPort: { ALPNProtocols: [] },
    isAlsoLocalhost: true,
  }),
];

const localNames = ['localhost', '127.0.0.1', '::1'];

function namedOnly(name: string): Partial<CertificatePlan> {
  return { commonName: name, altNames: [name] };
}

export const revokedSite = 'revoked site';

/** Sites with a separate port, in the order of these ports. */
export const sitesWithOwnPort = sites.filter(({ ownPort }) => ownPort !== undefined);

export function siteAt(servername: string): Site {
  const isNamed = ({ host, ownPort }: Site) => host === servername && ownPort === undefined;
  const name = servername.endsWith('.wildcard.localhost') ? 'wildcard' : 'good';
  return (sites.find(isNamed) ?? sites.find((site) => site.name === name)) as Site;
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
    altNames: site.isAlsoLocalhost ? [site.host, ...localNames] : [site.host],
    usages: ['server'],
    ...(await site.differs?.({ ...context, keys })),
  });
}
