/**
 * Whether a delivery's signature is right, and if not, what its sender most likely did wrong: the
 * usual mistakes are tried one by one, and the one that explains the signature is named.
 */

import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { gotValue } from '../../base/text/got-value.js';
import {
  decodedSecret,
  digest,
  type Scheme,
  type SchemeName,
  type SignedParts,
  schemes,
} from './sign-delivery.js';

export const faultyParts = ['header', 'timestamp', 'signature', 'secret', 'body'] as const;
export type FaultyPart = (typeof faultyParts)[number];

export type Verdict =
  | { readonly verified: true; readonly message: string }
  | { readonly verified: false; readonly message: string; readonly part: FaultyPart };

export interface Delivery {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
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

/** Other times are tried on bodies up to this size. */
const maxTimeSearchBytes = 8 * 1024;
const timeSearchSeconds = 300;

/** The scheme whose signature header a request carries. */
export function detectScheme(headers: Delivery['headers']): SchemeName | undefined {
  const names = Object.keys(schemes) as SchemeName[];
  return names.find((name) => headers[schemes[name].signatureHeader] !== undefined);
}

export function verifyDelivery(name: SchemeName, delivery: Delivery): Verdict {
  const scheme = schemes[name];
  const claim = readClaim(name, scheme, delivery.headers);
  if ('verified' in claim) return claim;
  const { secret, body, nowSeconds } = delivery;
  const right = digest(scheme.key(secret), scheme.prefix(claim.parts), body, scheme.encoding);
  const isRight = claim.signatures.some((signature) => isSame(signature, right));
  if (!isRight) return explain(scheme, claim, delivery);
  const { timestamp } = claim.parts;
  const age = nowSeconds - Number(timestamp);
  const { pastSeconds = 0, futureSeconds = 0 } = scheme.tolerance ?? {};
  if (scheme.tolerance && (age > pastSeconds || -age > futureSeconds)) {
    const where = age > 0 ? `${age} seconds ago` : `${-age} seconds ahead`;
    const bound = age > 0 ? pastSeconds : futureSeconds;
    return fault(
      'timestamp',
      `The signature is right, but its time ${timestamp} is ${where}; ${scheme.title} tolerates ${bound} seconds. A delivery that old may be a replay.`,
    );
  }
  return { verified: true, message: `This is what ${scheme.title} would have signed.` };
}

interface Claim {
  readonly parts: SignedParts;
  /** As sent, encoded; several while a secret is being replaced. */
  readonly signatures: readonly string[];
}

function readClaim(
  name: SchemeName,
  scheme: Scheme,
  headers: Delivery['headers'],
): Claim | Verdict {
  const header = headerValue(headers, scheme.signatureHeader);
  if (header === undefined) return missing(name, scheme.signatureHeader);
  switch (name) {
    case 'stripe':
      return readStripeClaim(header);
    case 'github':
      return readGithubClaim(header);
    case 'shopify':
      return readShopifyClaim(header);
    case 'standard-webhooks':
      return readStandardClaim(header, headers);
  }
}

function readStripeClaim(header: string): Claim | Verdict {
  const elements = header.split(',').map((element) => {
    const equals = element.indexOf('=');
    return [element.slice(0, equals).trim(), element.slice(equals + 1).trim()] as const;
  });
  const timestamp = elements.find(([key]) => key === 't')?.[1];
  const signatures = elements.flatMap(([key, value]) => (key === 'v1' ? [value] : []));
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return fault(
      'header',
      'Stripe-Signature holds no t= with Unix seconds. It looks like t=1700000000,v1=<64 hex digits>.',
    );
  }
  if (signatures.length === 0) {
    return fault(
      'header',
      'Stripe-Signature holds no v1= element. It looks like t=1700000000,v1=<64 hex digits>.',
    );
  }
  return checkShape(signatures, hexShape, 'v1', { parts: { timestamp, id: '' }, signatures });
}

function readGithubClaim(header: string): Claim | Verdict {
  if (!header.startsWith('sha256=')) {
    return fault('header', 'X-Hub-Signature-256 must begin with sha256=.');
  }
  const signatures = [header.slice('sha256='.length)];
  return checkShape(signatures, hexShape, 'X-Hub-Signature-256', { parts: noParts, signatures });
}

function readShopifyClaim(header: string): Claim | Verdict {
  const signatures = [header];
  return checkShape(signatures, base64Shape, 'X-Shopify-Hmac-Sha256', {
    parts: noParts,
    signatures,
  });
}

function readStandardClaim(header: string, headers: Delivery['headers']): Claim | Verdict {
  const id = headerValue(headers, 'webhook-id');
  const timestamp = headerValue(headers, 'webhook-timestamp');
  if (id === undefined) return missing('standard-webhooks', 'webhook-id');
  if (timestamp === undefined) return missing('standard-webhooks', 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) {
    return fault(
      'header',
      `webhook-timestamp must be Unix seconds, such as 1700000000${gotValue('webhook-timestamp', timestamp)}.`,
    );
  }
  const signatures = header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [part.slice('v1,'.length)] : []));
  if (signatures.length === 0) {
    return fault('header', 'webhook-signature holds no signature that begins with v1 and a comma.');
  }
  return checkShape(signatures, base64Shape, 'webhook-signature', {
    parts: { id, timestamp },
    signatures,
  });
}

const noParts: SignedParts = { timestamp: '', id: '' };

interface Shape {
  readonly pattern: RegExp;
  readonly other: RegExp;
  readonly words: string;
  readonly otherWords: string;
}

const hexPattern = /^[0-9a-f]{64}$/i;
const base64Pattern = /^[A-Za-z0-9+/]{43}=$/;
const hexShape: Shape = {
  pattern: hexPattern,
  other: base64Pattern,
  words: '64 hex digits',
  otherWords: 'base64',
};
const base64Shape: Shape = {
  pattern: base64Pattern,
  other: hexPattern,
  words: '44 characters of base64, the last of them =',
  otherWords: 'hex',
};

function checkShape(
  signatures: readonly string[],
  { pattern, other, words, otherWords }: Shape,
  place: string,
  claim: Claim,
): Claim | Verdict {
  if (signatures.some((signature) => pattern.test(signature))) return claim;
  const isOther = signatures.some((signature) => other.test(signature));
  const found = isOther ? `it is ${otherWords}` : `it has ${signatures[0]?.length} characters`;
  return fault(
    isOther ? 'signature' : 'header',
    `The signature in ${place} must be an HMAC-SHA256 as ${words}, but ${found}.`,
  );
}

/** Names the mistake that would have made this signature. */
function explain(scheme: Scheme, { parts, signatures }: Claim, delivery: Delivery): Verdict {
  const { body, secret, isExplained, knownBodies = [] } = delivery;
  const key = scheme.key(secret);
  const prefix = scheme.prefix(parts);
  const isMadeWith = (otherKey: Buffer, otherPrefix: string, otherBody: Uint8Array) => {
    const made = digest(otherKey, otherPrefix, otherBody, scheme.encoding);
    return signatures.some((signature) => isSame(signature, made));
  };
  if (isExplained && body.length <= maxExplainedBytes) {
    for (const [otherKey, message] of otherKeys(scheme, secret)) {
      if (isMadeWith(otherKey, prefix, body)) return fault('secret', message);
    }
    for (const [otherPrefix, message] of otherPrefixes(scheme, parts)) {
      if (isMadeWith(key, otherPrefix, body)) return fault('timestamp', message);
    }
    for (const [otherBody, message] of otherBodies(body, knownBodies)) {
      if (isMadeWith(key, prefix, otherBody)) return fault('body', message);
    }
    if (scheme.signsTimestamp && body.length <= maxTimeSearchBytes) {
      const sent = Number(parts.timestamp);
      for (let shift = 1; shift <= timeSearchSeconds; shift++) {
        for (const timestamp of [String(sent - shift), String(sent + shift)]) {
          if (isMadeWith(key, scheme.prefix({ ...parts, timestamp }), body)) {
            return fault(
              'timestamp',
              `The signature was made for the time ${timestamp}, but the delivery says ${parts.timestamp}: the time was changed after signing.`,
            );
          }
        }
      }
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

type Alternative<Value> = readonly [value: Value, message: string];

function otherKeys(scheme: Scheme, secret: string): Alternative<Buffer>[] {
  const takesWhole = scheme.key(secret).equals(Buffer.from(secret));
  const withoutPrefix = Buffer.from(secret.replace(/^whsec_/, ''));
  return [
    takesWhole
      ? [
          decodedSecret(secret),
          `The key was the secret decoded from base64; ${scheme.title} uses the whole text of it, whsec_ included.`,
        ]
      : [
          Buffer.from(secret),
          `The key was the text of the secret; ${scheme.title} uses the bytes that the base64 after whsec_ stands for.`,
        ],
    [
      withoutPrefix,
      takesWhole
        ? `The key was the secret without whsec_; ${scheme.title} uses the whole text of it.`
        : `The key was the text after whsec_; ${scheme.title} uses the bytes that this base64 stands for.`,
    ],
  ];
}

function otherPrefixes(scheme: Scheme, { timestamp, id }: SignedParts): Alternative<string>[] {
  if (!scheme.signsTimestamp) return [];
  const signed = id === '' ? 't + "." + body' : 'webhook-id + "." + webhook-timestamp + "." + body';
  return [
    ['', `Only the body was signed; ${scheme.title} signs ${signed}.`],
    [id + timestamp, `The dots are missing; ${scheme.title} signs ${signed}.`],
    ...(id === ''
      ? []
      : [
          [`${timestamp}.`, `The webhook-id is missing; ${scheme.title} signs ${signed}.`] as const,
        ]),
  ];
}

function otherBodies(body: Buffer, knownBodies: readonly Buffer[]): Alternative<Buffer>[] {
  const wasChanged = 'The signature fits the sample as it was: the body was changed after signing.';
  const alternatives: Alternative<Buffer>[] = knownBodies.map((known) => [known, wasChanged]);
  if (!isUtf8(body)) return alternatives;
  const text = body.toString('utf8');
  const rewrite = (other: string, message: string) =>
    alternatives.push([Buffer.from(other), message]);
  const spaces = 'The body gained white space at its end after signing.';
  rewrite(text.trimEnd(), spaces);
  const lost = 'The body lost the line break at its end after signing.';
  rewrite(`${text}\n`, lost);
  try {
    const value: unknown = JSON.parse(text);
    const again =
      'The body was parsed and written again after signing, which moved its white space. Send the very bytes that were signed.';
    rewrite(JSON.stringify(value), again);
    rewrite(JSON.stringify(value, null, 2), again);
    rewrite(`${JSON.stringify(value, null, 2)}\n`, again);
    rewrite(spacedJson(value), again);
  } catch {
    // Not JSON, or nested too deeply to write: those mistakes were not made.
  }
  return alternatives;
}

/** As Python writes it by default: on one line, with a space after each comma and colon. */
function spacedJson(value: unknown): string {
  // Line breaks inside strings are escaped, so these are all indentation.
  return JSON.stringify(value, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
}

/** Hex digits may come in either case. */
function isSame(sent: string, right: string): boolean {
  const isHex = hexPattern.test(sent) && hexPattern.test(right);
  const sentBytes = Buffer.from(isHex ? sent.toLowerCase() : sent);
  const rightBytes = Buffer.from(right);
  return sentBytes.length === rightBytes.length && timingSafeEqual(sentBytes, rightBytes);
}

function headerValue(headers: Delivery['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : value?.join(', ');
}

function missing(name: SchemeName, header: string): Verdict {
  return fault('header', `The header ${header}, which ${schemes[name].title} sends, is missing.`);
}

function fault(part: FaultyPart, message: string): Verdict {
  return { verified: false, message, part };
}
