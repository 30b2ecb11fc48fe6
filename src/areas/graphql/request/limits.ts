/** How much one request may ask for, so that nobody's document keeps the others waiting. */

export const limits = {
  /** Of the document, in bytes of UTF-8. */
  bytes: 100 * 1024,
  /** Of the document: names, numbers, strings and punctuation. */
  tokens: 5000,
  /** Braces, brackets and parentheses inside each other, which is what costs a parser its stack. */
  nesting: 50,
  /** Fields inside each other: `{ employees { address { city } } }` is three. */
  depth: 15,
  /** Of all operations together, with every fragment counted wherever it is spread. */
  fields: 2000,
  /** Counted like the fields. */
  aliases: 500,
  /** `__schema` and `__type`, counted like the fields. */
  introspections: 4,
  /** Rows of a list times the fields asked of each, over all lists of the response; and all of an introspection. */
  values: 25_000,
  /** Of the response, in bytes of UTF-8. */
  answerBytes: 8 * 1024 * 1024,
  /** Of one execution, in milliseconds. */
  executionMs: 10_000,
  /** Of a subscription, in bytes of UTF-8: it is kept as long as somebody listens. */
  subscriptionBytes: 8 * 1024,
  /** Of a document that is registered by its hash, in bytes of UTF-8. A longer one runs, and is not kept. */
  persistedBytes: 16 * 1024,
  /** Of one response; further ones are left out. */
  errors: 5,
} as const;

/** The limits that a document can break. */
export type LimitName = Exclude<keyof typeof limits, 'errors' | 'persistedBytes'>;

const sentences: Readonly<Record<LimitName, string>> = {
  bytes: 'The document has # bytes',
  tokens: 'The document has # tokens',
  nesting: 'The document nests brackets # deep',
  depth: 'The document nests fields # deep',
  fields: 'The document selects # fields once its fragments are spread',
  aliases: 'The document has # aliases once its fragments are spread',
  introspections:
    'The document asks for __schema and __type # times or more once its fragments are spread',
  values: 'The response would have # values or more',
  answerBytes: 'The response would have # bytes or more',
  executionMs: 'The execution took # milliseconds or more',
  subscriptionBytes: 'The document and variables of the subscription have # bytes',
};

/** What to say of a document that goes beyond a limit: by how much, and what would be accepted. */
export function describeExcess(limit: LimitName, actual: number): string {
  const counted = actual < uncountable ? actual.toLocaleString('en') : 'countless';
  const sentence = sentences[limit].replace('#', counted);
  return `${sentence}; the limit is ${limits[limit].toLocaleString('en')}.`;
}

/** Counts stop here: fragments that double at each level soon pass what a number can hold. */
export const uncountable = 1e9;
