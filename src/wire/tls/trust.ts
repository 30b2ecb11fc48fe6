/** What this service has of certificates: its authority, its servers, and what it thinks of clients. */

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type TLSSocket, type TlsOptions } from 'node:tls';
import { Authority } from './authority.js';
import {
  type ClientKind,
  clientCertificateFault,
  makeClient,
  revokedSerial,
} from './client-certificates.js';
import { type Identity, serialNumber } from './make-certificate.js';
import { makeCrl } from './make-crl.js';
import { makeP12 } from './make-p12.js';
import { makeSite, revokedSite, type Site, siteAt, sites, sitesWithDoor } from './sites.js';
import type { TlsDoor } from './tls-door.js';

export interface TrustOptions {
  /** Where the root is kept; in memory alone without it. */
  readonly folder?: string | undefined;
  readonly clock: () => number;
  /** The port of all servers that need none of their own; those follow it. 0 takes any free ones. */
  readonly port: number;
  /** Where plain HTTP is served, known once it is. */
  readonly plainUrl: () => string;
}

/** A client's certificate, and what is wrong with it. */
export interface ClientVerdict {
  readonly certificate: X509Certificate;
  readonly fault: string | undefined;
}

export interface SiteAddress {
  readonly site: Site;
  readonly url: string;
}

export const authorities = ['root', 'intermediate'] as const;

export class Trust {
  readonly #options: TrustOptions;
  readonly #authority: Authority;
  readonly #made = new Map<string, Promise<unknown>>();
  #ports: readonly number[] = [];

  /** Throws an error when there is something wrong with what the folder holds. */
  constructor(options: TrustOptions) {
    this.#options = options;
    this.#authority = new Authority(options.folder, options.clock);
  }

  /** The common port first. Nothing is made before a client comes to one. */
  get doors(): readonly TlsDoor[] {
    const { port } = this.#options;
    const own = sitesWithDoor.map((site, place) => ({
      port: port === 0 ? 0 : port + 1 + place,
      options: () => this.#doorOptions(site),
    }));
    return [{ port, options: () => this.#commonOptions() }, ...own];
  }

  /** Where the doors came to be. */
  set ports(ports: readonly number[]) {
    this.#ports = ports;
  }

  /** The common one. */
  get port(): number {
    return this.#ports[0] ?? this.#options.port;
  }

  get addresses(): readonly SiteAddress[] {
    return sites.map((site: Site) => {
      const door = sitesWithDoor.indexOf(site);
      const port = door < 0 ? this.port : this.#ports[door + 1];
      return { site, url: `https://${site.host}:${port}` };
    });
  }

  async rootPem(): Promise<string> {
    return (await this.#authority.root()).chainPem;
  }

  rootP12(): Promise<Buffer> {
    return this.#once('root.p12', async () =>
      makeP12('Practice API', await this.#authority.root(), false),
    );
  }

  /** With its key and, in the order they are sent in, what is between it and the root. */
  async clientPem(kind: ClientKind): Promise<string> {
    const { keyPem, chainPem } = await this.#client(kind);
    return chainPem + keyPem;
  }

  clientP12(kind: ClientKind): Promise<Buffer> {
    return this.#once(`${kind}.p12`, async () => makeP12(kind, await this.#client(kind), true));
  }

  /** Made anew each time, because it does not last. */
  async crl(of: (typeof authorities)[number]): Promise<Buffer> {
    const issuer = await this.#authority[of]();
    const serial =
      of === 'root' ? await revokedSerial(issuer) : await this.#revokedSiteSerial(issuer);
    return makeCrl(issuer, [serial], this.#options.clock());
  }

  /** Of the client at the other end, who may have sent none. */
  async judgeClient(socket: TLSSocket): Promise<ClientVerdict | undefined> {
    const { raw } = socket.getPeerCertificate();
    if (raw === undefined) return undefined;
    const certificate = new X509Certificate(raw);
    const root = await this.#authority.root();
    const serial = (await revokedSerial(root)).toString('hex').toUpperCase();
    const fault = clientCertificateFault(certificate, {
      root: root.certificate,
      revokedSerials: [serial],
      nowMs: this.#options.clock(),
    });
    return { certificate, fault };
  }

  #client(kind: ClientKind): Promise<Identity> {
    return this.#once(kind, () => makeClient(kind, this.#authority, this.#options.clock()));
  }

  #revokedSiteSerial(issuer: Identity): Promise<Buffer> {
    return serialNumber({ keys: issuer.keys, issuer, serialOf: revokedSite, commonName: '' });
  }

  #identity(site: Site): Promise<Identity> {
    return this.#once(`site ${site.name}`, () =>
      makeSite(site, {
        authority: this.#authority,
        nowMs: this.#options.clock(),
        crlUrl: `${this.#options.plainUrl()}/tls/intermediate.crl`,
      }),
    );
  }

  async #credentials(site: Site): Promise<TlsOptions> {
    const { keyPem, chainPem } = await this.#identity(site);
    return { key: keyPem, cert: chainPem };
  }

  async #doorOptions(site: Site): Promise<TlsOptions> {
    const credentials = await this.#credentials(site);
    return { ALPNProtocols: ['h2', 'http/1.1'], ...credentials, ...site.door };
  }

  async #commonOptions(): Promise<TlsOptions> {
    const contextOf = (site: Site) => this.#context(site);
    return {
      ALPNProtocols: ['h2', 'http/1.1'],
      rejectUnauthorized: false,
      ...(await this.#credentials(siteAt('localhost'))),
      SNICallback(this: TLSSocket, servername, response) {
        const site = siteAt(servername.toLowerCase());
        if (site.asksForCertificate) askForCertificate(this);
        contextOf(site).then((context) => response(null, context), response);
      },
    };
  }

  #context(site: Site): Promise<SecureContext> {
    return this.#once(`context ${site.name}`, async () =>
      createSecureContext(await this.#credentials(site)),
    );
  }

  #once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#made.get(name) ?? make();
    this.#made.set(name, known);
    return known as Promise<Value>;
  }
}

/** Node asks all clients of a server or none; its handle can ask one. What comes is for the application to judge. */
function askForCertificate(socket: TLSSocket): void {
  const { _handle: handle } = socket as TLSSocket & {
    _handle?: { setVerifyMode?(isAsked: boolean, isRequired: boolean): void };
  };
  handle?.setVerifyMode?.(true, false);
}
