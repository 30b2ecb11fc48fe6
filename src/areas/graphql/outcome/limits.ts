/** Limits for one request, so that no document blocks other clients. */

export const limits = {
  /** Size of the document in bytes of UTF-8. */
  bytes: 100 * 1024,
  /** Tokens of the document: names, numbers, strings and punctuation. */
  tokens: 5000,
  /** Nesting of braces, brackets and parentheses, which uses the parser's stack. */
  nesting: 50,
  /** Nesting of fields: `{ employees { address { city } } }` is three. */
  depth: 15,
  /** Fields of all operations together, with every fragment counted wherever it is spread. */
  fields: 2000,
  /** Counted like the fields. */
  aliases: 500,
  /** `__schema` and `__type`, counted like the fields. */
  introspections: 4,
  /**
   * Rows of a list times the fields selected of each, over all lists of the response; and all
   * values of an introspection.
   */
  values: 25_000,
  /** Size of the response in bytes of UTF-8. */
  answerBytes: 8 * 1024 * 1024,
  /** Duration of one execution in milliseconds. */
  executionMs: 10_000,
  /** Size of a subscription in bytes of UTF-8, which is kept while it is active. */
  subscriptionBytes: 8 * 1024,
  /**
   * Size of a document that is registered by its hash, in bytes of UTF-8. Longer documents run, but
   * are not registered.
   */
  persistedBytes: 16 * 1024,
  /** Errors of one response; further ones are left out. */
  errors: 5,
} as const;

/** Limits that a document can exceed. */
export type LimitName = Exclude<keyof typeof limits, 'errors' | 'persistedBytes'>;

const sentences: Readonly<Record<LimitName, string>> = {
  bytes: 'The document has # bytes',
  tokens: 'The document has # tokens',
  nesting: 'The document nests brackets # deep',
  depth: 'The document nests fields # deep',
  fields: 'The document selects # fields once its fragments are spread',
  aliases: 'The document has # aliases once its fragments are spread',
  introspections:
    'The document selects __schema and __type # times or more once its fragments are spread',
  values: 'The response would have # values or more',
  answerBytes: 'The response would have # bytes or more',
  executionMs: 'The execution took # milliseconds or more',
  subscriptionBytes: 'The document and variables of the subscription have # bytes',
};

/** Describes a document above a limit: the actual number, and the limit. */
export function describeExcess(limit: LimitName, actual: number): string {
  const counted = actual < uncountable ? actual.toLocaleString('en') : 'countless';
  const sentence = sentences[limit].replace('#', counted);
  return `${sentence}; the limit is ${limits[limit].toLocaleString('en')}.`;
}

/** Counts stop here, because fragments that double at each level soon exceed exact numbers. */
export const uncountable = 1e9;

/** Thrown if a response would be too large; it rejects the whole request. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  readonly limit: LimitName & ('values' | 'answerBytes');

  constructor(limit: ResponseTooLargeError['limit']) {
    super(`The response is beyond the limit of ${limit}.`);
    this.limit = limit;
  }
}
