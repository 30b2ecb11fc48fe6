/** Verifies a delivery while its body arrives, and determines which libraries of the provider accept it. */

import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { type Headers, type SchemeName, schemes } from '#kit/deliveries/schemes.js';
import { type Claim, type Library, libraries } from './libraries.js';
import { type BodyTraits, odditiesOf } from './oddities.js';
import { readClaim } from './read-claim.js';
import { seconds, unitOf } from './time-unit.js';

export interface Outcome {
  /** Whether a library, or the documentation of the provider, accepts the delivery. */
  readonly isAccepted: boolean;
  /** Which libraries reject it although others accept it, and why. */
  readonly warning?: string;
  /** Whether the signature is right if the headers are parsed leniently. */
  readonly isRight: boolean;
  /** Unusual properties of the delivery. */
  readonly oddities: readonly string[];
}

type Reading = { readonly library: Library; readonly claim: Claim | undefined };

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The body of a delivery as it arrives, and its MACs over each prefix that a library would sign. */
export class DeliveryCheck {
  readonly #name: SchemeName;
  readonly #headers: Headers;
  readonly #readings: readonly Reading[];
  /** Parsed leniently. */
  readonly #claim: Claim | string;
  /** Keyed by prefix, one for each secret. */
  readonly #macs: ReadonlyMap<string, readonly Hmac[]>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isText = true;
  #beginning = Buffer.alloc(0);

  constructor(name: SchemeName, headers: Headers, secrets: readonly string[]) {
    const { key, prefix } = schemes[name];
    this.#name = name;
    this.#headers = headers;
    this.#readings = libraries[name].map((library) => ({ library, claim: library.read(headers) }));
    this.#claim = readClaim(name, headers);
    const claims = [...this.#readings.map(({ claim }) => claim), this.#claim];
    const prefixes = claims.flatMap((claim) =>
      typeof claim === 'object' ? prefix(claim.parts) : [],
    );
    const keys = secrets.map(key);
    this.#macs = new Map(
      prefixes.map((each) => [each, keys.map((one) => createHmac('sha256', one).update(each))]),
    );
  }

  get claim(): Claim | string {
    return this.#claim;
  }

  update(chunk: Buffer): void {
    for (const macs of this.#macs.values()) for (const mac of macs) mac.update(chunk);
    if (this.#beginning.length < byteOrderMark.length) {
      this.#beginning = Buffer.concat([this.#beginning, chunk.subarray(0, byteOrderMark.length)]);
    }
    if (this.#isText) this.#decode(chunk);
  }

  /** Call once, after the complete body has arrived. */
  conclude(nowSeconds: number): Outcome {
    this.#decode();
    const { encoding, prefix, tolerance } = schemes[this.#name];
    const digests = new Map(
      [...this.#macs].map(([each, macs]) => [each, macs.map((mac) => mac.digest(encoding))]),
    );
    const isSigned = ({ parts, signatures }: Claim, isSame: NonNullable<Library['isSame']>) =>
      (digests.get(prefix(parts)) ?? []).some((right) =>
        signatures.some((sent) => isSame(sent, right)),
      );
    const body = this.#traits();
    const accepts = ({ library, claim }: Reading): boolean => {
      const { isSame = isSameText, futureSeconds = tolerance?.futureSeconds ?? 0 } = library;
      if (claim === undefined || !isSigned(claim, isSame) || rejectsBody(library, body))
        return false;
      if (tolerance === undefined) return true;
      // Libraries that check only the age accept milliseconds, which are always a mistake.
      if (unitOf(claim.parts.timestamp) !== seconds) return false;
      const age = nowSeconds - Number(claim.parts.timestamp);
      return age <= tolerance.pastSeconds && -age <= futureSeconds;
    };
    const isFuture = this.#readings.some(
      ({ claim }) => Number(claim?.parts.timestamp) > nowSeconds + 300,
    );
    const oddities = odditiesOf(this.#name, { headers: this.#headers, body, isFuture });
    const accepting = this.#readings.filter(accepts);
    return {
      isAccepted: accepting.length > 0,
      ...warningOf(schemes[this.#name].title, this.#readings, accepting, oddities),
      isRight: typeof this.#claim === 'object' && isSigned(this.#claim, isSameInAnyCase(encoding)),
      oddities,
    };
  }

  #decode(chunk?: Buffer): void {
    try {
      this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.#isText = false;
    }
  }

  #traits(): BodyTraits {
    return {
      isEmpty: this.#beginning.length === 0,
      isText: this.#isText,
      hasMark: this.#beginning.subarray(0, byteOrderMark.length).equals(byteOrderMark),
    };
  }
}

function rejectsBody({ rejects = {} }: Library, { isEmpty, isText, hasMark }: BodyTraits): boolean {
  return (
    (rejects.empty === true && isEmpty) ||
    (rejects.bytes === true && !isText) ||
    (rejects.mark === true && hasMark)
  );
}

function warningOf(
  title: string,
  readings: readonly Reading[],
  accepting: readonly Reading[],
  oddities: readonly string[],
): { readonly warning?: string } {
  const rejecting = readings.filter((each) => !accepting.includes(each));
  if (accepting.length === 0 || rejecting.length === 0) return {};
  const names = (list: readonly Reading[]) =>
    list.flatMap(({ library: { name } }) => (name === '' ? [] : name)).join(', ');
  const lists = [
    ['Rejected by', names(rejecting)],
    ['Accepted by', names(accepting)],
    ['Unusual:', oddities.join('; ')],
  ];
  const sentences = lists.flatMap(([begin, list]) => (list === '' ? [] : `${begin} ${list}.`));
  return { warning: [`Libraries of ${title} differ.`, ...sentences].join(' ') };
}

function isSameText(sent: string, right: string): boolean {
  const [given, expected] = [Buffer.from(sent), Buffer.from(right)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isSameInAnyCase(encoding: 'hex' | 'base64') {
  return (sent: string, right: string) =>
    isSameText(encoding === 'hex' ? sent.toLowerCase() : sent, right);
}
