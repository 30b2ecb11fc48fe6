/** Issuers of certificates, created on first use. Only a folder keeps the root over restarts. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazily } from '#base/lazily.js';
import { unixSeconds } from '#base/whole-seconds.js';
import { type Identity, loadPki, makeCertificate, makeKeys } from './make-certificate.js';

const dayMs = 24 * 3600 * 1000;
const rootDays = 3650;
const intermediateDays = 825;

const files = { certificate: 'ca.pem', key: 'ca-key.pem' } as const;

interface StoredRoot {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export class Issuers {
  readonly #folder: string | undefined;
  readonly #stored: StoredRoot | undefined;
  readonly #clock: () => number;

  /** Reads the root from `folder`. Throws an error about faulty files. */
  constructor(folder: string | undefined, clock: () => number) {
    this.#folder = folder;
    this.#clock = clock;
    this.#stored = folder === undefined ? undefined : readRoot(folder, clock());
  }

  readonly root = lazily(async (): Promise<Identity> => {
    if (this.#stored !== undefined) return restore(this.#stored);
    const made = await this.#makeRoot('root');
    if (this.#folder !== undefined) keepRoot(this.#folder, made);
    return made;
  });

  /** Issuer of server certificates. */
  readonly intermediate = lazily(() => this.#makeIntermediate('intermediate'));

  /** An intermediate that is never sent. A separate one, because clients cache intermediates. */
  readonly hiddenIntermediate = lazily(() => this.#makeIntermediate('hidden intermediate'));

  /** A root that no client has. */
  readonly foreignRoot = lazily(() => this.#makeRoot('untrusted root'));

  #makeRoot(name: string): Promise<Identity> {
    return this.#make(`${name} ${unixSeconds(this.#clock()).toString(36)}`, rootDays, undefined);
  }

  async #makeIntermediate(name: string): Promise<Identity> {
    return this.#make(name, intermediateDays, await this.root());
  }

  async #make(name: string, days: number, issuer: Identity | undefined): Promise<Identity> {
    const nowMs = this.#clock();
    return makeCertificate({
      commonName: `Practice API ${name}`,
      keys: await makeKeys(),
      issuer,
      isAuthority: true,
      notBefore: new Date(nowMs - dayMs),
      notAfter: new Date(nowMs + days * dayMs),
    });
  }
}

function readRoot(folder: string, nowMs: number): StoredRoot | undefined {
  const [certificatePem, keyPem] = [files.certificate, files.key].map((name) =>
    readIfThere(join(folder, name)),
  );
  if (certificatePem === undefined && keyPem === undefined) {
    // Fails at the start of the service, not for its first client.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return undefined;
  }
  if (certificatePem === undefined || keyPem === undefined) {
    const missing = certificatePem === undefined ? files.certificate : files.key;
    throw new Error(`${missing} is missing next to the other file of the root`);
  }
  const certificate = parse(files.certificate, () => new X509Certificate(certificatePem));
  const key = parse(files.key, () => createPrivateKey(keyPem));
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error(`${files.key} is not a key on the curve P-256`);
  }
  if (!certificate.ca || !certificate.checkPrivateKey(key)) {
    throw new Error(`${files.certificate} is not a CA certificate with the key ${files.key}`);
  }
  if (Date.parse(certificate.validTo) < nowMs) {
    throw new Error(`${files.certificate} expired on ${certificate.validTo}; remove both files`);
  }
  return { certificatePem, keyPem };
}

function parse<Parsed>(name: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch {
    throw new Error(`${name} is not in PEM format`);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function keepRoot(folder: string, { chainPem, keyPem }: Identity): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The key comes first, because a certificate without its key would prevent the next start.
  writeFileSync(join(folder, files.key), keyPem, { mode: 0o600 });
  writeFileSync(join(folder, files.certificate), chainPem);
}

async function restore({ certificatePem, keyPem }: StoredRoot): Promise<Identity> {
  const { pki, asn1, subtle } = await loadPki();
  const certificate = new X509Certificate(certificatePem);
  const der = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  const keys = {
    privateKey: await subtle.importKey('pkcs8', der, algorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
  };
  const schema = asn1.fromBER(new Uint8Array(certificate.raw).buffer).result;
  const parsed = new pki.Certificate({ schema });
  return { certificate, keys, chainPem: certificatePem, keyPem, parsed };
}
