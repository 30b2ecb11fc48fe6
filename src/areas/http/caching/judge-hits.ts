/** Judges the cache of a client by the requests that reached the origin (RFC 9111). */

import { cite } from '../../../kit/verdict/citations.js';
import { orderOf } from '../../../kit/verdict/exchange.js';
import { type JudgedRule, type Verdict, verdictOn } from '../../../kit/verdict/verdict.js';
import { type Hit, notedHeaders, type SentCaching } from './resource.js';

/** A response, and a later request of the same client for the same URL and variant. */
interface Pair {
  readonly first: Hit;
  readonly next: Hit;
  readonly sent: SentCaching;
  readonly gapMs: number;
  /** Whether a response that may be stored had the same tag. */
  readonly isTagKnown: boolean;
}

/** Caches count whole seconds. */
const toleranceMs = 1000;

const isConditional = ({ headers }: Hit) =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;

const onlyTag = 'Let no other response have the tag of one with no-store.';

interface CacheRule extends JudgedRule {
  /** Returns what would decide, if it cannot be told. */
  readonly isKept: (pair: Pair) => boolean | string | null;
}

const rules: readonly CacheRule[] = [
  {
    rule: 'reuse-fresh',
    level: 'should',
    section: cite('RFC 9111', '2'),
    hint: 'Reuse a fresh response without a request: max-age minus Age, or Expires minus Date.',
    isKept({ sent: { isStorable, freshMs }, gapMs }) {
      if (!isStorable || !freshMs) return null;
      if (gapMs >= freshMs) return true;
      return gapMs < freshMs - toleranceMs ? false : null;
    },
  },
  {
    rule: 'revalidate-stale',
    level: 'advice',
    section: cite('RFC 9111', '4.3.1'),
    hint: 'Revalidate a stale response with If-None-Match or If-Modified-Since, if it is stored.',
    isKept({ sent: { isStorable, tag, isDated, freshMs = 0 }, gapMs, next }) {
      const hasValidator = tag !== undefined || isDated;
      return isStorable && hasValidator && gapMs >= freshMs ? isConditional(next) : null;
    },
  },
  {
    rule: 'no-store',
    level: 'must',
    section: cite('RFC 9111', '5.2.2.5'),
    hint: 'Store nothing of a response with no-store, so that its tag is never sent.',
    isKept({ sent: { isStorable, tag }, next, isTagKnown }) {
      if (isStorable || tag === undefined) return null;
      if (!(next.headers['if-none-match'] ?? '').includes(`"${tag}"`)) return true;
      return isTagKnown ? onlyTag : false;
    },
  },
];

/** `hits` are in the order of arrival. */
export function judgeHits(hits: readonly Hit[]): readonly Verdict[] {
  const pairs = pairsOf(hits);
  return rules.map(({ isKept, ...rule }) => {
    const parts = pairs.map((pair) => {
      const judged = isKept(pair);
      const requests = [pair.first.requestId, pair.next.requestId];
      if (typeof judged !== 'string') return { isKept: judged, requests };
      return { isKept: null, decidedBy: judged, requests };
    });
    return verdictOn('cache', rule, parts);
  });
}

function pairsOf(hits: readonly Hit[]): Pair[] {
  const pairs: Pair[] = [];
  const responses = new Map<string, Hit[]>();
  const storedTags = new Set<string>();
  for (const next of hits) {
    // A change invalidates stored responses: RFC 9111 section 4.4.
    if (next.method === 'PUT' && next.status < 300) responses.clear();
    if (next.method !== 'GET' || next.sent === undefined || next.headers.range) continue;
    const key = keyOf(next);
    const before = responses.get(key) ?? [];
    // A request that was sent before the response could not use it.
    const first = before.findLast(({ arrival: { connection }, realMs: respondedAtMs }) => {
      const response = { respondedAtMs, ...(connection !== undefined && { connection }) };
      return orderOf(next.arrival, response) === 'after';
    });
    if (first?.sent !== undefined && !isForced(next)) {
      const gapMs = next.realMs - first.realMs;
      const isTagKnown = storedTags.has(first.sent.tag ?? '');
      pairs.push({ first, next, sent: first.sent, gapMs, isTagKnown });
    }
    before.push(next);
    responses.set(key, before);
    if (next.sent.isStorable && next.sent.tag !== undefined) storedTags.add(next.sent.tag);
  }
  return pairs;
}

function keyOf({ target, client, headers, sentAs }: Hit): string {
  const variant = Object.entries(headers).filter(([name]) => !notedHeaders.includes(name));
  return JSON.stringify([target, client, variant, sentAs]);
}

/** Whether the client demanded a newer response than a cache may have, such as by reloading. */
function isForced({ headers }: Hit): boolean {
  const directives = `${headers['cache-control'] ?? ''}, ${headers.pragma ?? ''}`;
  return /no-cache|no-store|max-age|min-fresh/i.test(directives);
}
