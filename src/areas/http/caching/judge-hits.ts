/** Judges the cache of a client by the requests that reached the origin (RFC 9111). */

import { type JudgedRule, type Verdict, verdictOn } from '../../../kit/verdict/verdict.js';
import { type Hit, notedHeaders, type SentCaching } from './resource.js';

/** A response and the next request for the same URL and variant. */
interface Pair {
  readonly first: Hit;
  readonly next: Hit;
  readonly sent: SentCaching;
  readonly gapMs: number;
}

/** Caches count whole seconds. */
const toleranceMs = 1000;

const isConditional = ({ headers }: Hit) =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;

interface CacheRule extends JudgedRule {
  readonly isKept: (pair: Pair) => boolean | null;
}

const rules: readonly CacheRule[] = [
  {
    rule: 'reuse-fresh',
    level: 'should',
    section: 'RFC 9111 section 4.2',
    hint: 'Reuse a fresh response without a request: max-age minus Age, or Expires minus Date.',
    isKept({ sent: { isStorable, freshMs }, gapMs }: Pair) {
      if (!isStorable || !freshMs) return null;
      if (gapMs >= freshMs) return true;
      return gapMs < freshMs - toleranceMs ? false : null;
    },
  },
  {
    rule: 'revalidate-stale',
    level: 'should',
    section: 'RFC 9111 section 4.3.1',
    hint: 'Revalidate a stale response with If-None-Match or If-Modified-Since.',
    isKept({ sent: { isStorable, tag, isDated, freshMs = 0 }, gapMs, next }: Pair) {
      const hasValidator = tag !== undefined || isDated;
      return isStorable && hasValidator && gapMs >= freshMs ? isConditional(next) : null;
    },
  },
  {
    rule: 'no-store',
    level: 'must',
    section: 'RFC 9111 section 5.2.2.5',
    hint: 'Store nothing of a response with no-store, so that its tag is never sent.',
    isKept({ sent: { isStorable, tag }, next }: Pair) {
      if (isStorable || tag === undefined) return null;
      return !(next.headers['if-none-match'] ?? '').includes(`"${tag}"`);
    },
  },
];

/** `hits` are in the order of arrival. */
export function judgeHits(hits: readonly Hit[]): readonly Verdict[] {
  const pairs = pairsOf(hits);
  return rules.map(({ isKept, ...rule }) => {
    const parts = pairs.map((pair) => {
      const { first, next } = pair;
      return { isKept: isKept(pair), requests: [first.requestId, next.requestId] };
    });
    return verdictOn('cache', rule, parts);
  });
}

function pairsOf(hits: readonly Hit[]): Pair[] {
  const pairs: Pair[] = [];
  const responses = new Map<string, Hit>();
  for (const next of hits) {
    // A change invalidates stored responses: RFC 9111 section 4.4.
    if (next.method === 'PUT' && next.status < 300) responses.clear();
    if (next.method !== 'GET' || next.sent === undefined) continue;
    const key = keyOf(next);
    const first = responses.get(key);
    if (first?.sent !== undefined && !isForced(next)) {
      pairs.push({ first, next, sent: first.sent, gapMs: next.realMs - first.realMs });
    }
    responses.set(key, next);
  }
  return pairs;
}

function keyOf({ target, headers, sentAs }: Hit): string {
  const variant = Object.entries(headers).filter(([name]) => !notedHeaders.includes(name));
  return JSON.stringify([target, variant, sentAs]);
}

/** Whether the user demanded a new response, such as by reloading. */
function isForced({ headers }: Hit): boolean {
  const directives = `${headers['cache-control'] ?? ''}, ${headers.pragma ?? ''}`;
  return /no-cache|no-store/i.test(directives);
}
