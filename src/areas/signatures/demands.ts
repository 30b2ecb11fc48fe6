/** What a signature must cover and say to be let in here, beyond being right. */

import type { Difference } from './find-difference.js';
import type { MessageSignature } from './parse-signatures.js';

/** How far the time of a signature may be from ours. */
export const toleranceSeconds = 300;

/** The application that signatures here are for; one for another is not looked at. */
export const ownTag = 'practice-api';

/** As it stands in Accept-Signature (RFC 9421 section 5.1). */
export function wantedSignature(hasBody: boolean): string {
  const digest = hasBody ? ' "content-digest"' : '';
  return `sig=("@method" "@target-uri"${digest});created;tag="${ownTag}"`;
}

export function unmetDemand(
  { input, created, expires, tag }: MessageSignature,
  hasBody: boolean,
  nowMs: number,
): Difference | undefined {
  const covered = new Set(
    input[0].filter(([, parameters]) => parameters.size === 0).map(([name]) => name),
  );
  const coversTarget =
    covered.has('@target-uri') ||
    (covered.has('@authority') &&
      (covered.has('@request-target') || (covered.has('@path') && covered.has('@query'))));
  if (!covered.has('@method')) return { part: '"@method"', message: 'It must be covered.' };
  if (!coversTarget) {
    return {
      part: '"@target-uri"',
      message: 'It must be covered, or @authority with @request-target or with @path and @query.',
    };
  }
  if (hasBody && !covered.has('content-digest')) {
    return { part: '"content-digest"', message: 'It must be covered, because there is a body.' };
  }
  if (created === undefined) return { part: 'created', message: 'It is missing: Unix seconds.' };
  const ageSeconds = nowMs / 1000 - created;
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const distance = `${Math.abs(Math.round(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'ahead'}`;
    return {
      part: 'created',
      message: `It is ${distance}; at most ${toleranceSeconds} s is accepted.`,
    };
  }
  if (expires !== undefined && expires * 1000 <= nowMs) {
    return { part: 'expires', message: 'It has passed.' };
  }
  if (tag !== undefined && tag !== ownTag) {
    return { part: 'tag', message: `The signature is for another application than ${ownTag}.` };
  }
  return undefined;
}
