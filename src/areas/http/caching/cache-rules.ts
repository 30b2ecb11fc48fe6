/** The rules of caches, named after directives: RFC 9111, RFC 5861 and RFC 8246. */

import { cite } from '#kit/verdict/citations.js';
import type { JudgedRule } from '#kit/verdict/verdict.js';
import type { JudgedDirective } from './choices.js';
import type { Hit, SentCaching } from './resource.js';

/** A response, and a later request of the same client for the same URL and variant. */
export interface Pair {
  readonly sent: SentCaching;
  readonly next: Hit;
  readonly gapMs: number;
  /** How long the response may be reused, by private and by shared caches. */
  readonly freshMs: number | undefined;
  readonly isShared: boolean;
  /** Whether the client demanded a newer response than its cache may have, such as by reloading. */
  readonly isForced: boolean;
  /** Whether a response that may be stored had the same tag. */
  readonly isTagStorable: boolean;
  /** Whether a response without no-transform had the same tag. */
  readonly isTagTransformable: boolean;
}

/** A report that a cache used a response without a request. */
export interface ReportedReuse {
  readonly sent: SentCaching;
  /** From the response to the report. */
  readonly gapMs: number;
  readonly freshMs: number | undefined;
  readonly isShared: boolean;
  /** Whether a later request of this client for the same URL has succeeded before the report. */
  readonly isValidated: boolean;
}

/** An error response to a conditional request, and the next request of the client. */
export interface FailedPair {
  /** The caching of the stored response that the condition named. */
  readonly sent: SentCaching;
  readonly next: Hit;
  /** From the stored response to the next request. */
  readonly gapMs: number;
  readonly freshMs: number | undefined;
}

/** Text: what would decide, if it cannot be told. Null: the rule is not exercised. */
export type Judgement = boolean | string | null;

export interface CacheRule extends JudgedRule {
  readonly isKept?: (pair: Pair) => Judgement;
  readonly isReuseKept?: (reuse: ReportedReuse) => Judgement;
  readonly isKeptAfterError?: (pair: FailedPair) => Judgement;
}

/** Caches count whole seconds. */
const toleranceMs = 1000;

export const has = ({ directives = [] }: SentCaching, name: JudgedDirective): boolean =>
  directives.includes(name);

const isConditional = ({ headers }: Hit): boolean =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;

export const namesTag = ({ headers }: Hit, tag: string | undefined): boolean =>
  tag !== undefined && (headers['if-none-match'] ?? '').includes(`"${tag}"`);

const onlyTag = 'Let no response without the directive have the same tag.';
const newest = 'Report the response that was used before any later request.';
const staleAtOnce = 'Make the response stale at once, such as by maxAge=60 and age=60.';
const onlyTransformed = 'An entity tag that names a content coding.';

/** For a directive that forbids to store the response. */
function forbidding(directive: SentCaching['forbiddenBy']): Omit<CacheRule, keyof JudgedRule> {
  return {
    isKept({ sent: { forbiddenBy, tag }, next, isTagStorable }) {
      if (forbiddenBy !== directive || tag === undefined) return null;
      if (!namesTag(next, tag)) return true;
      return isTagStorable ? onlyTag : false;
    },
    isReuseKept: ({ sent }) => (sent.forbiddenBy === directive ? false : null),
  };
}

/** For a directive that forbids to use a stale response without validation. */
function revalidating(directive: JudgedDirective): Omit<CacheRule, keyof JudgedRule> {
  const isOfShared = directive === 'proxyRevalidate';
  return {
    isKept({ sent, next, gapMs, freshMs, isShared }) {
      if (!has(sent, directive) || (isOfShared && !isShared)) return null;
      return freshMs !== undefined && gapMs >= freshMs && isConditional(next) ? true : null;
    },
    isReuseKept({ sent, gapMs, freshMs, isShared, isValidated }) {
      if (!has(sent, directive) || (isOfShared && !isShared)) return null;
      if (isValidated) return newest;
      if (freshMs === 0) return false;
      return freshMs !== undefined && gapMs < freshMs ? true : staleAtOnce;
    },
  };
}

export const cacheRules: readonly CacheRule[] = [
  {
    rule: 'reuse-fresh',
    level: 'should',
    section: cite('RFC 9111', '2'),
    hint: 'Reuse a fresh response without a request: max-age minus Age, or Expires minus Date.',
    isKept({ sent, gapMs, freshMs, isShared, isForced }) {
      if (isForced || sent.forbiddenBy !== undefined || !freshMs) return null;
      if (isShared && has(sent, 'private')) return null;
      if (gapMs >= freshMs) return true;
      return gapMs < freshMs - toleranceMs ? false : null;
    },
    isReuseKept: ({ sent, gapMs, freshMs }) =>
      sent.forbiddenBy === undefined && freshMs !== undefined && gapMs < freshMs ? true : null,
  },
  {
    rule: 'revalidate-stale',
    level: 'advice',
    section: cite('RFC 9111', '4.3.1'),
    hint: 'Revalidate a stale response with If-None-Match or If-Modified-Since, if it is stored.',
    isKept({ sent: { forbiddenBy, tag, isDated }, gapMs, next, freshMs = 0, isForced }) {
      const hasValidator = tag !== undefined || isDated;
      if (isForced || forbiddenBy !== undefined || !hasValidator) return null;
      return gapMs >= freshMs ? isConditional(next) : null;
    },
  },
  {
    rule: 'no-store',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.5'),
    hint: 'Store nothing of a response with no-store, so that its tag is never sent.',
    ...forbidding('no-store'),
  },
  {
    rule: 'must-understand',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.3'),
    hint: 'Store a response with must-understand only if you understand the caching of its status.',
    ...forbidding('must-understand'),
  },
  {
    rule: 'no-cache',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.4'),
    hint: 'Validate a response with no-cache by a request before each use.',
    isKept: ({ sent, next }) => (has(sent, 'noCache') && isConditional(next) ? true : null),
    isReuseKept({ sent, isValidated }) {
      if (!has(sent, 'noCache')) return null;
      return isValidated ? newest : false;
    },
  },
  {
    rule: 'must-revalidate',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.2'),
    hint: 'Use a stale response with must-revalidate only after the origin has validated it.',
    ...revalidating('mustRevalidate'),
  },
  {
    rule: 'proxy-revalidate',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.8'),
    hint: 'In a shared cache, use a stale response with proxy-revalidate only after validation.',
    ...revalidating('proxyRevalidate'),
  },
  {
    rule: 'no-transform',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.6'),
    hint: 'Pass content with no-transform on unchanged, so that its tag is unchanged.',
    isKept({ sent, next, isShared, isTagTransformable }) {
      const { tag } = sent;
      const tags = next.headers['if-none-match'];
      if (!has(sent, 'noTransform') || tag === undefined || tags === undefined) return null;
      // Servers that compress on the way append the coding, or make the tag weak.
      const transformed = /"([^"]*?)[-;:]{1,2}(?:gzip|deflate|br|zstd|df)"/g;
      if ([...tags.matchAll(transformed)].some(([, opaque]) => opaque === tag)) {
        return isTagTransformable ? onlyTag : false;
      }
      if (sent.isWeak !== true && tags.includes(`W/"${tag}"`)) return onlyTransformed;
      return isShared && namesTag(next, tag) ? true : null;
    },
  },
  {
    rule: 'immutable',
    level: 'should',
    section: cite('RFC 8246', '2'),
    hint: 'Over TLS, send no conditional request while a response with immutable is fresh.',
    isKept({ sent, next, gapMs, freshMs }) {
      const directives = `${next.headers['cache-control'] ?? ''}, ${next.headers.pragma ?? ''}`;
      const isReloadForced = /no-cache|no-store/i.test(directives);
      if (!has(sent, 'immutable') || !next.isEncrypted || !freshMs || isReloadForced) return null;
      if (gapMs >= freshMs) return true;
      return isConditional(next) && gapMs < freshMs - toleranceMs ? false : null;
    },
  },
  {
    rule: 'stale-while-revalidate',
    level: 'should',
    section: cite('RFC 5861', '3'),
    hint: 'While you use a stale response, revalidate it; stop after stale-while-revalidate seconds.',
    isKept({ sent, next, gapMs, freshMs, isForced }) {
      const { swrMs } = sent;
      if (swrMs === undefined || freshMs === undefined || isForced) return null;
      const isInWindow = gapMs >= freshMs && gapMs < freshMs + swrMs;
      return isInWindow && isConditional(next) ? true : null;
    },
    isReuseKept({ sent: { swrMs, sieMs }, gapMs, freshMs, isValidated }) {
      if (swrMs === undefined || freshMs === undefined || gapMs < freshMs) return null;
      if (isValidated || sieMs !== undefined) return null;
      if (gapMs < freshMs + swrMs) return true;
      return freshMs + swrMs === 0 ? false : staleAtOnce;
    },
  },
  {
    rule: 'stale-if-error',
    level: 'advice',
    section: cite('RFC 5861', '4'),
    hint: 'Keep the stored response when its validation fails: it may be used for a while.',
    isKeptAfterError({ sent, next, gapMs, freshMs }) {
      const { sieMs, tag } = sent;
      if (sieMs === undefined || freshMs === undefined || gapMs >= freshMs + sieMs) return null;
      return namesTag(next, tag);
    },
  },
];
