/**
 * What texts for readers do not say, since the glossary has another word for it, and what they say instead. The words
 * of the code are in words.test.ts.
 */

export const bannedInTexts: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banswer(?:s|ed|ing)?\b/i, 'response, respond'],
  [/\brepl(?:y|ies|ied)\b/i, 'response, respond'],
  [/\bverbs?\b/i, 'method'],
  [/\brefus(?:e|es|ed|al|als|ing)\b/i, 'reject; only connections are refused'],
  [/\b(?:is|are|was|were) (?:not )?taken\b/, 'is accepted, is supported'],
  [
    /\btakes? (?:`|GET|POST|PUT|PATCH|DELETE|any (?:method|number)|both|either)/,
    'accepts, supports',
  ],
  [/\bbounds\b|\bbounded\b|\b(?:upper|lower) bound\b/, 'limit'],
  [/\btime-outs?\b/i, 'timeout'],
  [/\bheader lines?\b/i, 'header field'],
  [/\bfooters?\b/i, 'trailer field'],
  [/\bpayloads?\b/i, 'body; only webhooks and tokens have a payload'],
  [/\bundo(?:es|ne|ing)?\b/i, 'decode'],
  [/\bcounts? (?:once|for an?|until)\b/, 'is valid'],
  [
    /\bmak(?:e|es|ing) (?:an?|another|the|one) (?:new )?(?:bin|account|sandbox|record|token|key|passkey|session|upload)\b/i,
    'create',
  ],
  [/\bspeaks?\b(?! for)/, 'supports, uses'],
  [/\bstands? (?:in|under|behind|on|below|beside|against)\b/, 'is in'],
  [/\bholds? (?:for|everywhere)\b/, 'applies to, is true of'],
  [/\b(?:goes|go|going) on\b/, 'continues'],
  [/\bso many\b/, 'this many'],
  [/\b(?:is|are) (?:said|told)\b(?! to\b)/, 'says; active'],
  [/\bwhat there is\b/i, 'name the things'],
  [/\bpassed over\b/, 'ignored'],
  [/\buntaken\b/, 'unread'],
  [/\ball the same\b/, 'nevertheless'],
  [/\banew\b/, 'again'],
  [/\bin the wild\b/i, 'leave it out'],
  [/\bone's own\b/, 'your own'],
  [/\bas ever\b/, 'as usual'],
  [/\bmend(?:s|ed)?\b/i, 'fix'],
];

/** Where a word is the right one. */
export const exceptions: readonly (readonly [page: RegExp, allowed: RegExp])[] = [
  // Their senders, and their standards, call it that.
  [/webhooks\.md|jwt\.md|subscriptions\.md/, /\bpayloads?\b/i],
  // The phrase of a status in HTTP.
  [/problems\.md/, /^## Payload too large$/],
  // The column of a generated table.
  [/benchmarks\.md/, /\*\*First answer\*\*/],
  // A value in the report of a run.
  [/oidc-test-plan\.md/, /\*\*refused\*\*/],
  // "Wait as long as you are told."
  [/retry-like-a-professional\.md/, /\byou are told\b/],
  // A released version keeps its words.
  [/CHANGELOG\.md/, /^## 0\.1\.0 [\s\S]*/],
  // It has the words that are not used.
  [/glossary\.md/, /^\|.*\|$/m],
  // What clients say themselves, by a test.
  [/(?:oidc|tls)-clients\.md/, /^\|.*\|$/m],
];
