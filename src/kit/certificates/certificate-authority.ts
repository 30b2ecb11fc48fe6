/**
 * Certificates of this service and for clients, and the check of certificates that clients send.
 */

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type TLSSocket, type TlsOptions } from 'node:tls';
import { requestCertificate } from '#wire/internals/request-certificate.js';
import type { TlsPort } from '#wire/servers/listen-tls.js';
import {
  type ClientKind,
  clientCertificateFault,
  makeClient,
  revokedSerial,
} from './client-certificates.js';
import { Issuers } from './issuers.js';
import { type Identity, namedSerial } from './make-certificate.js';
import { makeCrl } from './make-crl.js';
import { makeP12 } from './make-p12.js';
import { makeSite, revokedSite, type Site, siteAt, sites, sitesWithOwnPort } from './sites.js';

export interface CertificateOptions {
  /** Folder of the root; without one, the root is only in memory. */
  readonly folder?: string | undefined;
  readonly clock: () => number;
  /**
   * Port of all sites without a separate port; the separate ports follow it. 0 is any free port.
   */
  readonly port: number;
  /** The URL without TLS, once the service listens. */
  readonly plainUrl: () => string;
}

/** Issuers with a revocation list. */
export const authorities = ['root', 'intermediate'] as const;

export class CertificateAuthority {
  readonly #options: CertificateOptions;
  readonly #issuers: Issuers;
  readonly #made = new Map<string, Promise<unknown>>();
  #ports: readonly number[] = [];

  /** Throws an error if the files of the folder are unusable. */
  constructor(options: CertificateOptions) {
    this.#options = options;
    this.#issuers = new Issuers(options.folder, options.clock);
  }

  /** Ports to listen on, the common one first. Certificates are created when a client connects. */
  get tlsPorts(): readonly TlsPort[] {
    const { port } = this.#options;
    const own = sitesWithOwnPort.map((site, index) => ({
      port: port === 0 ? 0 : port + 1 + index,
      options: () => this.#ownPortOptions(site),
    }));
    return [{ port, options: () => this.#commonOptions() }, ...own];
  }

  /** A port with the certificates of the common one, beside the others. */
  get neighbour(): TlsPort {
    const { port } = this.#options;
    return {
      port: port === 0 ? 0 : port + 1 + sitesWithOwnPort.length,
      options: () => this.#commonOptions(),
    };
  }

  set ports(ports: readonly number[]) {
    this.#ports = ports;
  }

  get port(): number {
    return this.#ports[0] ?? this.#options.port;
  }

  /** Ports with valid certificates for localhost. */
  get validPorts(): readonly number[] {
    const places = sitesWithOwnPort.flatMap(({ isAlsoLocalhost }, index) =>
      isAlsoLocalhost ? [this.#ports[index + 1] ?? 0] : [],
    );
    return [this.port, ...places];
  }

  get addresses() {
    return sites.map((site) => {
      const index = sitesWithOwnPort.indexOf(site);
      const port = index < 0 ? this.port : this.#ports[index + 1];
      return { site, url: `https://${site.host}:${port}` };
    });
  }

  async rootPem(): Promise<string> {
    return (await this.#issuers.root()).chainPem;
  }

  async rootP12(): Promise<Buffer> {
    const root = await this.#issuers.root();
    return this.#once('root.p12', () => makeP12('Practice API', root, false));
  }

  async clientPem(kind: ClientKind): Promise<string> {
    const { keyPem, chainPem } = await this.#client(kind);
    return chainPem + keyPem;
  }

  clientP12(kind: ClientKind): Promise<Buffer> {
    return this.#once(`${kind}.p12`, async () => makeP12(kind, await this.#client(kind), true));
  }

  /** Returns a new revocation list, because lists expire. */
  async crl(of: (typeof authorities)[number]): Promise<Buffer> {
    const issuer = await this.#issuers[of]();
    const serial =
      of === 'root' ? await revokedSerial(issuer) : await namedSerial(issuer, revokedSite);
    return makeCrl(issuer, [serial], this.#options.clock());
  }

  /** Returns the certificate of a client and its fault; `undefined` if it sent none. */
  async judgeClient(socket: TLSSocket) {
    const { raw } = socket.getPeerCertificate();
    if (raw === undefined) return undefined;
    const certificate = new X509Certificate(raw);
    const root = await this.#issuers.root();
    const revoked = (await revokedSerial(root)).toString('hex').toUpperCase();
    const nowMs = this.#options.clock();
    const fault = clientCertificateFault(certificate, root.certificate, revoked, nowMs);
    return { certificate, fault };
  }

  #client(kind: ClientKind): Promise<Identity> {
    return this.#once(kind, () => makeClient(kind, this.#issuers, this.#options.clock()));
  }

  async #credentials(site: Site): Promise<TlsOptions> {
    const { keyPem, chainPem } = await this.#once(`site ${site.name}`, () =>
      makeSite(site, {
        issuers: this.#issuers,
        nowMs: this.#options.clock(),
        crlUrl: `${this.#options.plainUrl()}/tls/intermediate.crl`,
      }),
    );
    return { key: keyPem, cert: chainPem };
  }

  async #ownPortOptions(site: Site): Promise<TlsOptions> {
    const credentials = await this.#credentials(site);
    return { ALPNProtocols: ['h2', 'http/1.1'], ...credentials, ...site.ownPort };
  }

  async #commonOptions(): Promise<TlsOptions> {
    const contextOf = (site: Site): Promise<SecureContext> =>
      this.#once(`context ${site.name}`, async () =>
        createSecureContext(await this.#credentials(site)),
      );
    return {
      ALPNProtocols: ['h2', 'http/1.1'],
      rejectUnauthorized: false,
      ...(await this.#credentials(siteAt('localhost'))),
      SNICallback(this: TLSSocket, servername, respond) {
        const site = siteAt(servername.toLowerCase());
        if (site.requestsCertificate) requestCertificate(this);
        contextOf(site).then((context) => respond(null, context), respond);
      },
    };
  }

  #once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#made.get(name) ?? make();
    this.#made.set(name, known);
    return known as Promise<Value>;
  }
}
