/** The caching of a resource as the caller chooses it, and the resulting headers (RFC 9111). */

import { type Static, type TObject, Type } from 'typebox';
import { givenDateFault, parseGivenDate } from '#http/headers/http-date.js';
import type { FieldFault } from '#http/http-error.js';
import { integer, oneOf, optionalText } from '#kit/describe/value-schemas.js';

/** The largest number that every cache must support (RFC 9111 section 1.2.2). */
const maxSeconds = 2_147_483_648;

const seconds = (description: string) => Type.Optional(integer(0, maxSeconds, description));
const directive = (name: string) =>
  Type.Optional(Type.Boolean({ description: `The directive ${name}.` }));

export const choiceFields = {
  maxAge: seconds('The directive max-age, in seconds.'),
  sMaxage: seconds('The directive s-maxage, for shared caches.'),
  swr: seconds('The directive stale-while-revalidate (RFC 5861).'),
  sie: seconds('The directive stale-if-error (RFC 5861).'),
  private: directive('private'),
  noStore: directive('no-store'),
  noCache: directive('no-cache'),
  noTransform: directive('no-transform'),
  mustRevalidate: directive('must-revalidate'),
  proxyRevalidate: directive('proxy-revalidate'),
  mustUnderstand: directive('must-understand'),
  immutable: directive('immutable'),
  status: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      enum: [200, 203, 299, 500, 502, 503, 504],
      description: 'The status. No cache understands 299; errors ignore conditions. Default: 200.',
    }),
  ),
  vary: Type.Optional(
    Type.String({
      pattern: "^(?:\\*|[\\w!#$%&'*+.^`|~-]+(?: ?, ?[\\w!#$%&'*+.^`|~-]+){0,9})$",
      maxLength: 300,
      examples: ['Accept,Accept-Language'],
      description: 'Names of request headers, separated by commas. The body shows their values.',
    }),
  ),
  etag: Type.Optional(oneOf(['strong', 'weak', 'none'], { description: 'Default: strong.' })),
  lastModified: optionalText(
    'A date, or true for the time of the last change. Default: no header.',
  ),
  age: seconds('The header Age. A stored value increases by the clock of the sandbox.'),
  expires: optionalText(
    'A date, or a number of seconds, which is counted from the PUT for a stored value, by the clock of the sandbox.',
  ),
};

/** The directives whose parameters have shorter names. */
export const directiveNames = { staleWhileRevalidate: 'swr', staleIfError: 'sie' };

/** The directives without a value that a judge needs. */
const judgedDirectives = [
  ...(['private', 'noCache', 'noTransform', 'mustRevalidate'] as const),
  ...(['proxyRevalidate', 'immutable'] as const),
] as const;

export type JudgedDirective = (typeof judgedDirectives)[number];

/** The statuses of the choices whose caching a cache can understand. */
const understood: ReadonlySet<number> = new Set([200, 203]);

export type Choices = Static<TObject<typeof choiceFields>>;

/** Returns the caching choices in a query that may have other parameters. */
export function choicesOf(query: Choices): Choices {
  const given = Object.entries(query).filter(([name]) => Object.hasOwn(choiceFields, name));
  return Object.fromEntries(given);
}

/** Returns errors that the schema cannot express. */
export function checkChoices({ lastModified = 'true', expires = '0' }: Choices): FieldFault[] {
  const isDate = (given: string) => parseGivenDate(given) !== undefined;
  const faults: FieldFault[] = [];
  if (lastModified !== 'true' && !isDate(lastModified)) {
    faults.push(givenDateFault('lastModified', lastModified, 'true'));
  }
  if (!isSeconds(expires) && !isDate(expires)) {
    faults.push(givenDateFault('expires', expires, 'seconds'));
  }
  return faults;
}

function isSeconds(text: string): boolean {
  return /^-?\d{1,9}$/.test(text);
}

/** Times are in milliseconds since the Unix epoch. */
export interface CachingFacts {
  /** By the real clock, like the header Date. */
  readonly nowMs: number;
  /** How long the choices have been stored, by the clock of the sandbox. */
  readonly keptForMs: number;
  readonly changedAtMs: number;
  /** The opaque tag, without quotes. */
  readonly tag: string;
}

/**
 * Returns validators and caching headers by name in lower case, without Vary. The choices of a request, `asked`,
 * override the stored choices, `kept`.
 */
export function cachingHeaders(kept: Choices, asked: Choices, facts: CachingFacts) {
  const { keptForMs, changedAtMs, tag } = facts;
  const choices = { ...kept, ...asked };
  const { etag = 'strong', lastModified, age } = choices;
  const passedMs = Math.max(0, keptForMs);
  const entityTag = etag === 'none' ? undefined : `${etag === 'weak' ? 'W/' : ''}"${tag}"`;
  const lastModifiedMs = lastModified === 'true' ? changedAtMs : parseGivenDate(lastModified ?? '');
  const agedBy = asked.age === undefined ? Math.floor(passedMs / 1000) : 0;
  const expiresMs = expiryOf(choices, facts.nowMs, asked.expires === undefined ? passedMs : 0);
  const headers = {
    'cache-control': directivesOf(choices) || undefined,
    etag: entityTag,
    'last-modified': httpDate(lastModifiedMs),
    age: age === undefined ? undefined : String(age + agedBy),
    expires: httpDate(expiresMs),
  };
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    entityTag,
    lastModifiedMs,
    status: choices.status ?? 200,
    sent: {
      ...rulesOf(choices),
      isDated: lastModifiedMs !== undefined,
      ...(entityTag !== undefined && { tag }),
      ...(etag === 'weak' && ({ isWeak: true } as const)),
      ...freshness(choices, facts.nowMs, expiresMs, age === undefined ? 0 : age + agedBy),
    },
    headers: Object.fromEntries(present) as Readonly<Record<string, string>>,
  };
}

/** Returns the directives that a judge needs, and which of them forbids to store the response. */
function rulesOf(choices: Choices) {
  const { swr, sie, noStore, mustUnderstand, status = 200 } = choices;
  // A cache that implements must-understand ignores no-store for statuses that it understands.
  const isUnknown = mustUnderstand === true && !understood.has(status);
  const forbiddenBy = isUnknown ? 'must-understand' : noStore && !mustUnderstand && 'no-store';
  const names = judgedDirectives.filter((name) => choices[name]);
  return {
    ...(names.length > 0 && { directives: names }),
    ...(forbiddenBy && ({ forbiddenBy } as const)),
    ...(swr !== undefined && { swrMs: swr * 1000 }),
    ...(sie !== undefined && { sieMs: sie * 1000 }),
  };
}

/**
 * Returns how long a private cache, which ignores s-maxage, and a shared cache may reuse the response
 * without a request: RFC 9111 section 4.2.1.
 */
function freshness(choices: Choices, nowMs: number, expiresMs: number | undefined, age: number) {
  const { maxAge, sMaxage, noCache, noStore } = choices;
  // With must-understand, caches may or may not store a response with no-store.
  if (noCache || noStore) return {};
  const remaining = (seconds: number | undefined) => {
    const lifetimeMs =
      seconds !== undefined ? seconds * 1000 : expiresMs !== undefined && expiresMs - nowMs;
    return lifetimeMs === false ? undefined : Math.max(0, lifetimeMs - age * 1000);
  };
  const freshMs = remaining(maxAge);
  const sharedFreshMs = remaining(sMaxage ?? maxAge);
  return {
    ...(freshMs !== undefined && { freshMs }),
    ...(sharedFreshMs !== undefined && { sharedFreshMs }),
  };
}

function expiryOf({ expires = '' }: Choices, nowMs: number, passedMs: number): number | undefined {
  return isSeconds(expires) ? nowMs + Number(expires) * 1000 - passedMs : parseGivenDate(expires);
}

function httpDate(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs).toUTCString();
}

/** Returns the value of Cache-Control; empty without directives. */
export function directivesOf(choices: Choices): string {
  const { maxAge, sMaxage, swr, sie } = choices;
  return [
    choices.private && 'private',
    choices.noStore && 'no-store',
    choices.noCache && 'no-cache',
    choices.noTransform && 'no-transform',
    choices.mustUnderstand && 'must-understand',
    maxAge !== undefined && `max-age=${maxAge}`,
    sMaxage !== undefined && `s-maxage=${sMaxage}`,
    choices.mustRevalidate && 'must-revalidate',
    choices.proxyRevalidate && 'proxy-revalidate',
    choices.immutable && 'immutable',
    swr !== undefined && `stale-while-revalidate=${swr}`,
    sie !== undefined && `stale-if-error=${sie}`,
  ]
    .filter(Boolean)
    .join(', ');
}
