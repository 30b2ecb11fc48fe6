/** Words to avoid, and what to write instead; docs/glossary.md has the terms. */

/** The kinds of text that a rule checks. */
export type Place = 'comment' | 'identifier' | 'title' | 'message' | 'prose';

export interface WordRule {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly places: readonly Place[];
}

const sentences = ['comment', 'title', 'message', 'prose'] as const;
const everywhere = ['identifier', ...sentences] as const;
/** Texts that users of the service read. */
const shown = ['message', 'prose'] as const;

const rule = (
  pattern: RegExp,
  instead: string,
  places: readonly Place[] = sentences,
): WordRule => ({
  pattern,
  instead,
  places,
});

const name = (words: string, instead: string) =>
  rule(new RegExp(`\\b(?:${words})\\b`), instead, ['identifier']);

export const wordRules: readonly WordRule[] = [
  // The terms of the trade, one for each thing.
  rule(/\banswer(?:s|ed|ing)?\b(?! the challenge\b)/i, 'response, respond', everywhere),
  rule(/\brepl(?:y|ies|ied)\b/i, 'response, respond', shown),
  rule(/\bverbs?\b/i, 'method', everywhere),
  rule(/\brefus(?:es?|ed|als?|ing)\b(?! (?:the |a )?connections?\b)/i, 'reject', everywhere),
  rule(
    /\btakes\b(?! (?:an? )?(?:\d|\w+ (?:seconds?|minutes?|hours?)\b|seconds|minutes|long|time|part|place|effect|over\b|turns|up\b|longer|more than|less than|as long|at most|too long|twice|a (?:tenth|few)|(?:many|some|several) (?:times|tries|time)|little memory|the same time))/i,
    'accepts, supports, needs',
  ),
  rule(/\b(?:is|are|was|were) (?:not )?taken\b/i, 'is accepted, is supported'),
  rule(/\bgives\b(?! up\b)/i, 'returns'),
  rule(/\bask(?:s|ed|ing)? for\b/i, 'requests'),
  rule(/\bbounds\b|\bbounded\b|\b(?:upper|lower) bound\b/, 'limit', shown),
  rule(/\btime-outs?\b/i, 'timeout'),
  rule(/\bheader lines?\b/i, 'header field'),
  rule(/\bfooters?\b/i, 'trailer field', shown),
  rule(/\bpayloads?\b/i, 'body; only webhooks and tokens have a payload', shown),
  rule(/\bwhole numbers?\b/i, 'integer', shown),
  rule(
    /\bmak(?:e|es|ing) (?:an?|another|the|one) (?:new )?(?:bin|account|sandbox|record|token|key|passkey|session|upload)\b/i,
    'create',
    shown,
  ),
  // Who acts: the client, the caller, the server, a test.
  rule(/\b(?:some|no|any)body\b|\bwhoever\b|\bnobody's\b/i, 'the client, the caller, no client'),
  rule(/\bone's own\b/i, 'your own'),
  // Plain sentences.
  rule(/\bones? that\b|\bone which\b/i, 'name the thing'),
  rule(/\bthose of\b|\bthat of\b/i, 'name the thing again'),
  rule(/\bof (?:its|their|your|his|our|my) own\b/i, 'its own …'),
  rule(/\bas (?:it is|they are)\b/i, 'unchanged'),
  rule(/\bstands?\b(?! (?:out|for)\b)(?<!\b(?:to|not|you|can|we) stand)/i, 'is'),
  rule(/\bis there\b/i, 'exists'),
  rule(/\b(?:goes|go|going|went) on\b/i, 'continues'),
  rule(/\b(?:comes?|came|coming) back\b/i, 'returns'),
  rule(/\b(?:is|are|was|were) (?:told|said)\b/i, 'says who tells whom'),
  rule(/\balone\b(?<!\b(?:let|leave|stand|left) alone)/i, '“only” before the word it limits'),
  rule(/\bin place of\b/i, 'instead of', ['title', 'message', 'prose']),
  rule(/\bso many\b/i, 'this many'),
  rule(/\bwhat there is\b/i, 'name the things'),
  rule(/\bpassed over\b/i, 'ignored'),
  rule(/\buntaken\b/i, 'unread'),
  rule(/\ball the same\b/i, 'nevertheless'),
  rule(/\banew\b/i, 'again'),
  rule(/\bin the wild\b/i, 'leave it out'),
  rule(/\bas ever\b/i, 'as usual'),
  rule(/\bmend(?:s|ed)?\b/i, 'fix'),
  rule(/\bspeaks?\b(?! for)/i, 'supports, uses', shown),
  rule(/\bwhich one counts\b/i, 'which one is meant', shown),
  rule(/\bcounts? (?:once|for an?|until)\b/i, 'is valid', shown),
  rule(/\b(?:query parameter|field) \S+ (?:must|takes|is missing)\b/, 'the name alone', [
    'message',
  ]),
  // A sentence has a subject and a verb.
  rule(/^(?:What|Whoever|Who|Whose|Of|Where|That which|As)\b/, 'begin with a verb or a noun', [
    'comment',
  ]),
  // Names say the thing.
  name(
    'premises|debtors?|takers?|doors?|guess(?:es)?|tell(?:s|er)?|heeds?|heeded|hurry|hurried|obstructs?|conducts?|spoils?|spoiled|came|house|whoever|nobody|somebody',
    'name the thing',
  ),
];

/** Places where a word is the right one: the files, and the allowed text. */
export const exceptions: readonly (readonly [file: RegExp, allowed: RegExp])[] = [
  // Their senders, and their standards, call it that.
  [
    /webhooks\.md|jwt\.md|subscriptions\.md|verdict\/citations|deliveries\/plan\/cases/,
    /\bpayloads?\b/gi,
  ],
  // Standards of JWTs and of AWS signatures have a payload.
  [/areas\/auth\/(?:jwt|sigv4)\//, /\bpayloads?\b/gi],
  // Members of requests and responses.
  [/sandbox\/fault-plan-schema/, /\brefuse\b/g],
  [/http\/cookies\/jar/, /\bcame\b/g],
  // The phrase of a status in HTTP.
  [/problems\.md/, /^## Payload too large$/gm],
  // The column of a generated table.
  [/benchmarks\.md/, /\*\*First answer\*\*/g],
  // A value in the report of a run.
  [/oidc-test-plan\.md/, /\*\*refused\*\*/g],
  // A released version keeps its words.
  [/CHANGELOG\.md/, /^## 0\.1\.0 [\s\S]*/gm],
  // It has the words that are not used.
  [/glossary\.md/, /^\|.*\|$/gm],
  // What clients say themselves, by a test.
  [/(?:oidc|tls)-clients\.md/, /^\|.*\|$/gm],
  // The grammatical verb of a summary.
  [/summaries\.test\.ts/, /\bverbs?\b/g],
  // A fault of the service has this name in plans, and a module of its server this user.
  [/(?:malformed-heads|wire-faults|http2-faults)\S*\.ts/, /\brefuse\b/g],
  [/apache\.ts/, /\bUser nobody\b/g],
  // A field of the form of consent, and an outcome in the report of a run.
  [/test\/(?:oidc|support)\/\S+\.ts/, /^answer$/g],
  [/oidc-rejections\S*\.ts/, /^refused$/g],
  // A fault that has this name in plans.
  [/fault-(?:plan|act)\.ts|scripted\/wire-faults\.js/, /\brefuse\b/g],
  // A field of completions, which both providers call it.
  [/(?:areas|test|clients)\/llm\S*\.(?:ts|js)|docs\/llm\S*\.md/, /\brefusals?\b/gi],
  // A limit that has this name in errors.
  [/graphql\/outcome\/limits\.ts/, /\banswer bytes\b/g],
  // The rules themselves.
  [/word-rules\.ts/, /[\s\S]+/g],
];
