/** Judges the cache of a client by the requests that reached the origin, and by reports of those that did not. */

import { orderOf } from '#kit/verdict/exchange.js';
import { type JudgedPart, type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import {
  type CacheRule,
  cacheRules,
  type FailedPair,
  has,
  type Judgement,
  namesTag,
  type Pair,
  type ReportedReuse,
} from './cache-rules.js';
import { type Hit, notedHeaders, type Reuse, type SentCaching } from './resource.js';

/** A case for a rule, with the ids of the requests that show it. */
interface Shown<Case> {
  readonly judged: Case;
  readonly requests: readonly string[];
}

/** A request, with what must be the same for a cache to use its response for another one. */
interface KeyedHit extends Hit {
  readonly key: string;
}

/** `unkeyed` requests are in the order of arrival, `reuses` in the order of the reports. */
export function judgeHits(unkeyed: readonly Hit[], reuses: readonly Reuse[] = []): Verdict[] {
  const hits = unkeyed.map((hit): KeyedHit => ({ ...hit, key: keyOf(hit) }));
  const pairs = pairsOf(hits);
  const failed = failedPairsOf(hits);
  const reported = reuses.flatMap((reuse) => reportedReuse(reuse, hits));
  return cacheRules.map((rule) => {
    const { isKept, isReuseKept, isKeptAfterError, ...judgedRule } = rule satisfies CacheRule;
    return verdictOn('cache', judgedRule, [
      ...partsOf(isKept, pairs),
      ...partsOf(isKeptAfterError, failed),
      ...partsOf(isReuseKept, reported),
    ]);
  });
}

function partsOf<Case>(
  judge: ((judged: Case) => Judgement) | undefined,
  cases: readonly Shown<Case>[],
): JudgedPart[] {
  if (judge === undefined) return [];
  return cases.map(({ judged, requests }) => {
    const isKept = judge(judged);
    if (typeof isKept !== 'string') return { isKept, requests };
    return { isKept: null, decidedBy: isKept, requests };
  });
}

/** Whether a request was certainly sent after this response, and could use it. */
function follows(next: Hit, { arrival: { connection }, realMs: respondedAtMs }: Hit): boolean {
  const response = { respondedAtMs, ...(connection !== undefined && { connection }) };
  return orderOf(next.arrival, response) === 'after';
}

function pairsOf(hits: readonly KeyedHit[]): Shown<Pair>[] {
  const pairs: Shown<Pair>[] = [];
  const responses = new Map<string, KeyedHit[]>();
  const storable = new Set<string>();
  const transformable = new Set<string>();
  for (const next of hits) {
    // A change invalidates stored responses: RFC 9111 section 4.4.
    if (next.method === 'PUT' && next.status < 300) responses.clear();
    const isError = next.status >= 500;
    if (next.method !== 'GET' || next.headers.range || !(next.sent || isError)) continue;
    const before = responses.get(next.key) ?? [];
    const first = before.findLast((each) => follows(next, each));
    if (first?.sent !== undefined) {
      const { sent, realMs } = first;
      const judged = {
        ...{ sent, next, gapMs: next.realMs - realMs },
        freshMs: leastFreshMs(sent),
        isShared: isProxied(first) || isProxied(next),
        isForced: isForced(next),
        isTagStorable: storable.has(sent.tag ?? ''),
        isTagTransformable: transformable.has(sent.tag ?? ''),
      };
      pairs.push({ judged, requests: [first.requestId, next.requestId] });
    }
    if (next.sent === undefined) continue;
    before.push(next);
    responses.set(next.key, before);
    const { tag, forbiddenBy } = next.sent;
    if (tag !== undefined && forbiddenBy === undefined) storable.add(tag);
    if (tag !== undefined && !has(next.sent, 'noTransform')) transformable.add(tag);
  }
  return pairs;
}

/** Errors in response to a condition with a known tag, each with the next request of the client. */
function failedPairsOf(hits: readonly KeyedHit[]): Shown<FailedPair>[] {
  const gets = hits.filter(({ method }) => method === 'GET');
  return gets.flatMap((failed, index) => {
    if (failed.status < 500) return [];
    const isSame = ({ key }: KeyedHit) => key === failed.key;
    const stored = gets
      .slice(0, index)
      .findLast((each) => isSame(each) && namesTag(failed, each.sent?.tag));
    const next = gets.slice(index + 1).find((each) => isSame(each) && follows(each, failed));
    if (stored?.sent === undefined || next === undefined) return [];
    const { sent, realMs, requestId } = stored;
    const judged = { sent, next, gapMs: next.realMs - realMs, freshMs: leastFreshMs(sent) };
    return [{ judged, requests: [requestId, failed.requestId, next.requestId] }];
  });
}

function reportedReuse(reuse: Reuse, hits: readonly KeyedHit[]): Shown<ReportedReuse>[] {
  const { requestId, cache, reportedAtMs } = reuse;
  const index = hits.findLastIndex((hit) => hit.requestId === requestId);
  const first = hits[index];
  if (first?.sent === undefined) return [];
  const isShared = cache === 'shared';
  const isValidation = ({ method, status, realMs }: Hit) =>
    method === 'GET' && status < 500 && realMs <= reportedAtMs;
  const judged = {
    sent: first.sent,
    gapMs: reportedAtMs - first.realMs,
    freshMs: isShared ? first.sent.sharedFreshMs : first.sent.freshMs,
    isShared,
    isValidated: hits.slice(index + 1).some((hit) => isValidation(hit) && hit.key === first.key),
  };
  return [{ judged, requests: [requestId] }];
}

/** A cache of either kind may have sent the requests, so that the response is fresh only for both. */
function leastFreshMs({ freshMs, sharedFreshMs }: SentCaching): number | undefined {
  if (freshMs === undefined || sharedFreshMs === undefined) return freshMs;
  return Math.min(freshMs, sharedFreshMs);
}

const isProxied = ({ headers }: Hit) => headers.via !== undefined;

function keyOf({ target, client, headers, sentAs }: Hit): string {
  const variant = Object.entries(headers).filter(([name]) => !notedHeaders.includes(name));
  return JSON.stringify([target, client, variant, sentAs]);
}

/** Whether the client demanded a newer response than a cache may have, such as by reloading. */
function isForced({ headers }: Hit): boolean {
  const directives = `${headers['cache-control'] ?? ''}, ${headers.pragma ?? ''}`;
  return /no-cache|no-store|max-age|min-fresh/i.test(directives);
}
