/** Verifies a delivery's signature, and finds the part that is wrong. */

import { unixSeconds } from '#base/whole-seconds.js';
import {
  digest,
  type Headers,
  type Scheme,
  type SchemeName,
  schemeNames,
  schemes,
  signingSecret,
} from '#kit/deliveries/schemes.js';
import type { JudgeDelivery } from '#kit/verdict/delivery-verdict.js';
import { DeliveryCheck } from './delivery-check.js';
import { recordDelivery } from './delivery-judge.js';
import type { Claim } from './libraries.js';
import { mistakesOf } from './mistakes.js';
import { checkShape, signatureHeader } from './read-claim.js';
import { seconds, type TimeUnit, unitOf } from './time-unit.js';

export const faultyParts = ['header', 'timestamp', 'signature', 'secret', 'body'] as const;

export interface Verdict {
  readonly verified: boolean;
  readonly message: string;
  /** Which libraries of the provider reject a delivery that others accept. */
  readonly warning?: string;
  readonly part?: (typeof faultyParts)[number];
}

export interface Delivery {
  readonly headers: Headers;
  readonly body: Buffer;
  /** Each is tried: there are several during a rotation of the secret. */
  readonly secrets: readonly string[];
  /** The time to compare the delivery's time with, in Unix seconds. */
  readonly nowSeconds: number;
  /** Bodies that may have been signed, before they were changed. */
  readonly knownBodies?: readonly Buffer[];
  /** Whether to try common mistakes, which takes many times as long as verifying. */
  readonly isExplained: boolean;
}

/** Larger bodies are not searched for mistakes, because it would take too long. */
const maxExplainedBytes = 64 * 1024;

/** Limit of bytes hashed in search of a mistake. The likeliest are tried first. */
const maxSearchedBytes = 4 * 1024 * 1024;

/** Verifies a request that another area receives, with the secret of the samples. */
export const judgeDelivery: JudgeDelivery = (headers) => {
  const provider =
    schemeNames.find((name) => signatureHeader(name) in headers) ??
    ('svix-signature' in headers ? 'standard-webhooks' : undefined);
  if (provider === undefined) return undefined;
  const check = new DeliveryCheck(provider, headers, [signingSecret]);
  return {
    update: (chunk) => check.update(chunk),
    conclude: (nowMs) => ({ provider, ...verdictOf(provider, check, unixSeconds(nowMs)) }),
    record: recordDelivery,
  };
};

export function verifyDelivery(name: SchemeName, delivery: Delivery): Verdict {
  const { headers, secrets, body, nowSeconds, isExplained } = delivery;
  const check = new DeliveryCheck(name, headers, secrets);
  check.update(body);
  const explain = (claim: Claim) =>
    isExplained && body.length <= maxExplainedBytes ? mistakeIn(name, claim, delivery) : undefined;
  return verdictOf(name, check, nowSeconds, explain);
}

function verdictOf(
  name: SchemeName,
  check: DeliveryCheck,
  nowSeconds: number,
  explain: (claim: Claim) => Verdict | undefined = () => undefined,
): Verdict {
  const { title, signsTimestamp } = schemes[name];
  const { claim } = check;
  const { isAccepted, isRight, warning, oddities } = check.conclude(nowSeconds);
  if (isAccepted && warning !== undefined) {
    const message = `The signature is valid, but not every library of ${title} accepts the delivery.`;
    return { verified: true, message, warning };
  }
  if (isAccepted) return { verified: true, message: `This is what ${title} would have signed.` };
  if (typeof claim === 'string') return fault('header', claim);
  const unit = unitOf(claim.parts.timestamp);
  if (unit !== seconds) return wrongUnit(schemes[name], claim.parts.timestamp, unit, isRight);
  if (isRight) {
    return (
      checkTime(schemes[name], claim.parts.timestamp, nowSeconds) ??
      fault(
        'header',
        `The signature is valid, but the libraries of ${title} reject the delivery: it has ${oddities.join('; ')}.`,
      )
    );
  }
  const shape = checkShape(name, claim.signatures);
  if (shape !== undefined) return fault(shape.part, shape.message);
  const suspects = signsTimestamp ? 'the body, the time or the secret' : 'the body or the secret';
  return (
    explain(claim) ??
    fault(
      'signature',
      `The signature does not match: ${suspects} differs. Sign the raw bytes of the body, before parsing them.`,
    )
  );
}

/** Finds the common mistake that explains the signature. */
function mistakeIn(
  name: SchemeName,
  { parts, signatures }: Claim,
  { secrets, body, headers, knownBodies = [] }: Delivery,
): Verdict | undefined {
  const scheme = schemes[name];
  const { encoding } = scheme;
  // Hex digits are valid in either case.
  const sent = encoding === 'hex' ? signatures.map((each) => each.toLowerCase()) : signatures;
  const right = { prefix: scheme.prefix(parts), body };
  const keys = secrets.map(scheme.key);
  let searched = 0;
  for (const mistake of mistakesOf(scheme, parts, { secrets, body, headers, knownBodies })) {
    const { key, prefix, body: signed } = { ...right, ...mistake };
    const tried = key === undefined ? keys : [key];
    searched += signed.length * tried.length;
    if (searched > maxSearchedBytes) break;
    const isMade = tried.some((each) => sent.includes(digest(each, prefix, signed, encoding)));
    if (isMade) return fault(mistake.part, mistake.message);
  }
  return undefined;
}

function checkTime(
  { title, tolerance }: Scheme,
  timestamp: string,
  nowSeconds: number,
): Verdict | undefined {
  const age = nowSeconds - Number(timestamp);
  const { pastSeconds = 0, futureSeconds = 0 } = tolerance ?? {};
  if (tolerance === undefined || (age <= pastSeconds && -age <= futureSeconds)) return undefined;
  const where = age > 0 ? `${age} seconds ago` : `${-age} seconds ahead`;
  const bound = age > 0 ? pastSeconds : futureSeconds;
  return fault(
    'timestamp',
    `The signature is valid, but its time ${timestamp} is ${where}; ${title} tolerates ${bound} seconds. Such an old delivery may be a replay.`,
  );
}

function wrongUnit(
  { title }: Scheme,
  timestamp: string,
  { name, digits }: TimeUnit,
  isRight: boolean,
): Verdict {
  const begin = isRight ? 'The signature is valid, but its' : 'The';
  const right = timestamp.slice(0, -digits);
  return fault(
    'timestamp',
    `${begin} time ${timestamp} is in ${name}; ${title} uses Unix seconds, such as ${right}.`,
  );
}

function fault(part: NonNullable<Verdict['part']>, message: string): Verdict {
  return { verified: false, message, part };
}
