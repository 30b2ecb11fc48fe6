/** Whether a delivery's signature is right, and if not, which part of the delivery is wrong. */

import { gotValue } from '../../base/text/got-value.js';
import { unixSeconds } from '../../base/whole-seconds.js';
import { isSameSecret } from '../../http/credentials/is-same-secret.js';
import type { DeliveryVerdict, ReceivedDelivery } from '../../kit/delivery-verdict.js';
import { mistakesOf } from './mistakes.js';
import {
  digest,
  type Scheme,
  type SchemeName,
  type SignedParts,
  schemeNames,
  schemes,
  signingSecret,
} from './schemes.js';

export const faultyParts = ['header', 'timestamp', 'signature', 'secret', 'body'] as const;

export interface Verdict {
  readonly verified: boolean;
  readonly message: string;
  readonly part?: (typeof faultyParts)[number];
}

export interface Delivery {
  /** By name in lower case. */
  readonly headers: ReceivedDelivery['headers'];
  readonly body: Buffer;
  readonly secret: string;
  /** The time to judge the delivery's own time by, in Unix seconds. */
  readonly nowSeconds: number;
  /** Bodies that the delivery may have had before someone changed it. */
  readonly knownBodies?: readonly Buffer[];
  /** Whether the usual mistakes are tried, which costs many times what verifying does. */
  readonly isExplained: boolean;
}

/** Mistakes are not looked for in larger bodies: trying them would take too long. */
const maxExplainedBytes = 64 * 1024;

/** Judges a request that another area received; `undefined` when it has no signature header that is known here. */
export function judgeDelivery({
  headers,
  body,
  isTruncated,
  nowMs,
}: ReceivedDelivery): DeliveryVerdict | undefined {
  const provider = schemeNames.find((name) => signatureHeader(name) in headers);
  if (provider === undefined) return undefined;
  if (isTruncated) {
    const message = 'Only the beginning of the body was kept, so its signature was not checked.';
    return { provider, verified: false, message, part: 'body' };
  }
  const nowSeconds = unixSeconds(nowMs);
  const delivery = { headers, body, secret: signingSecret, nowSeconds, isExplained: false };
  return { provider, ...verifyDelivery(provider, delivery) };
}

export function verifyDelivery(name: SchemeName, delivery: Delivery): Verdict {
  const { headers, body, secret, nowSeconds, isExplained, knownBodies = [] } = delivery;
  const scheme = schemes[name];
  const { encoding } = scheme;
  const claim = readClaim(name, headers);
  if (typeof claim === 'string') return fault('header', claim);
  const { parts, signatures } = claim;
  const shapeFault = checkShape(name, signatures);
  if (shapeFault !== undefined) return shapeFault;
  // Hex digits may come in either case.
  const sent = encoding === 'hex' ? signatures.map((each) => each.toLowerCase()) : signatures;
  const right = { key: scheme.key(secret), prefix: scheme.prefix(parts), body };
  const signature = digest(right.key, right.prefix, body, encoding);
  if (sent.some((each) => isSameSecret(each, signature))) {
    return checkTime(scheme, parts.timestamp, nowSeconds);
  }
  if (isExplained && body.length <= maxExplainedBytes) {
    for (const mistake of mistakesOf(scheme, parts, { secret, body, knownBodies })) {
      const made = { ...right, ...mistake };
      const isMade = sent.includes(digest(made.key, made.prefix, made.body, encoding));
      if (isMade) return fault(made.part, made.message);
    }
  }
  const suspects = scheme.signsTimestamp
    ? 'the body, the time or the secret'
    : 'the body or the secret';
  return fault(
    'signature',
    `The signature does not fit: ${suspects} is not the one it was made with. Sign the raw bytes of the body, before anything parses them.`,
  );
}

function checkTime({ title, tolerance }: Scheme, timestamp: string, nowSeconds: number): Verdict {
  const age = nowSeconds - Number(timestamp);
  const { pastSeconds = 0, futureSeconds = 0 } = tolerance ?? {};
  if (tolerance && (age > pastSeconds || -age > futureSeconds)) {
    const where = age > 0 ? `${age} seconds ago` : `${-age} seconds ahead`;
    const bound = age > 0 ? pastSeconds : futureSeconds;
    return fault(
      'timestamp',
      `The signature is right, but its time ${timestamp} is ${where}; ${title} tolerates ${bound} seconds. A delivery that old may be a replay.`,
    );
  }
  return { verified: true, message: `This is what ${title} would have signed.` };
}

interface Claim {
  readonly parts: SignedParts;
  /** As sent, encoded; several while a secret is being replaced. */
  readonly signatures: readonly string[];
}

/** Reads what the headers of a delivery say; returns what is wrong with them. */
function readClaim(name: SchemeName, headers: Delivery['headers']): Claim | string {
  const read = (header: string) => {
    const value = headers[header];
    return typeof value === 'string' ? value.trim() : value?.join(', ');
  };
  const needed = name === 'standard-webhooks' ? ['webhook-id', 'webhook-timestamp'] : [];
  const absent = [signatureHeader(name), ...needed].find((each) => read(each) === undefined);
  if (absent !== undefined) {
    return `The header ${absent}, which ${schemes[name].title} sends, is missing.`;
  }
  const [header = '', id = '', timestamp = ''] = [signatureHeader(name), ...needed].map(read);
  switch (name) {
    case 'stripe':
      return readStripeClaim(header);
    case 'github':
      return header.startsWith('sha256=')
        ? { parts: { id, timestamp }, signatures: [header.slice('sha256='.length)] }
        : 'X-Hub-Signature-256 must begin with sha256=.';
    case 'shopify':
      return { parts: { id, timestamp }, signatures: [header] };
    case 'standard-webhooks':
      return readStandardClaim(header, { id, timestamp });
  }
}

const unixTime = /^\d{1,12}$/;

function readStripeClaim(header: string): Claim | string {
  const elements = header.split(',').map((element) => {
    const equals = element.indexOf('=');
    return [element.slice(0, equals).trim(), element.slice(equals + 1).trim()] as const;
  });
  const valuesOf = (key: string) =>
    elements.flatMap(([each, value]) => (each === key ? value : []));
  const [timestamp = ''] = valuesOf('t');
  const signatures = valuesOf('v1');
  const form = 'It looks like t=1700000000,v1=<64 hex digits>.';
  if (!unixTime.test(timestamp)) {
    return `Stripe-Signature holds no t= with Unix seconds. ${form}`;
  }
  if (signatures.length === 0) return `Stripe-Signature holds no v1= element. ${form}`;
  return { parts: { timestamp, id: '' }, signatures };
}

function readStandardClaim(header: string, parts: SignedParts): Claim | string {
  if (!unixTime.test(parts.timestamp)) {
    return `webhook-timestamp must be Unix seconds, such as 1700000000${gotValue('webhook-timestamp', parts.timestamp)}.`;
  }
  const signatures = header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? part.slice('v1,'.length) : []));
  if (signatures.length > 0) return { parts, signatures };
  return 'webhook-signature holds no signature that begins with v1 and a comma.';
}

const shapes = {
  hex: { pattern: /^[0-9a-f]{64}$/i, words: '64 hex digits' },
  base64: {
    pattern: /^[A-Za-z0-9+/]{43}=$/,
    words: '44 characters of base64, the last of them =',
  },
};

function checkShape(name: SchemeName, signatures: readonly string[]): Verdict | undefined {
  const { encoding } = schemes[name];
  const { pattern, words } = shapes[encoding];
  if (signatures.some((signature) => pattern.test(signature))) return undefined;
  const other = encoding === 'hex' ? 'base64' : 'hex';
  const isOther = signatures.some((signature) => shapes[other].pattern.test(signature));
  const found = isOther ? `it is ${other}` : `it has ${signatures[0]?.length} characters`;
  const place = name === 'stripe' ? 'v1' : schemes[name].signatureHeader;
  return fault(
    isOther ? 'signature' : 'header',
    `The signature in ${place} must be an HMAC-SHA256 as ${words}, but ${found}.`,
  );
}

function signatureHeader(name: SchemeName): string {
  return schemes[name].signatureHeader.toLowerCase();
}

function fault(part: NonNullable<Verdict['part']>, message: string): Verdict {
  return { verified: false, message, part };
}
