/** Checks what an accepted signature must cover and contain, apart from the cryptography. */

import type { MessageSignature } from './parse-signatures.js';
import type { Difference } from './signature-base.js';

/** How far the time of a signature may be from the server's. */
export const toleranceSeconds = 300;

/** Signatures are for this application; others are rejected. */
const ownTag = 'practice-api';

/** Returns the value of Accept-Signature (RFC 9421 section 5.1). */
export function wantedSignature(hasBody: boolean): string {
  const digest = hasBody ? ' "content-digest"' : '';
  return `sig=("@method" "@target-uri"${digest});created;tag="${ownTag}"`;
}

export function unmetDemand(
  { input, created, expires, tag }: MessageSignature,
  hasBody: boolean,
  nowMs: number,
): Difference | undefined {
  const bare = input[0].filter(([, parameters]) => parameters.size === 0).map(([name]) => name);
  const covers = (...names: readonly string[]) => names.every((name) => bare.includes(name));
  const coversTarget =
    covers('@target-uri') ||
    covers('@authority', '@request-target') ||
    covers('@authority', '@path', '@query');
  if (!covers('@method')) return { part: '"@method"', message: 'It must be covered.' };
  if (!coversTarget) {
    return {
      part: '"@target-uri"',
      message: 'It must be covered, or @authority with @request-target or with @path and @query.',
    };
  }
  if (hasBody && !covers('content-digest')) {
    return {
      part: '"content-digest"',
      message: 'It must be covered, because the request has a body.',
    };
  }
  if (created === undefined)
    return { part: 'created', message: 'It is missing: send Unix seconds.' };
  const ageSeconds = nowMs / 1000 - created;
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const distance = `${Math.abs(Math.round(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'ahead'}`;
    const message = `It is ${distance}; at most ${toleranceSeconds} s is allowed.`;
    return { part: 'created', message };
  }
  if (expires !== undefined && expires * 1000 <= nowMs) {
    return { part: 'expires', message: 'It is in the past.' };
  }
  if (tag === undefined || tag === ownTag) return undefined;
  return {
    part: 'tag',
    message: `The tag must be ${ownTag}; the signature is for another application.`,
  };
}
