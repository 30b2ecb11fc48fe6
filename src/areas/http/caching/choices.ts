/** The caching of a resource as a caller chooses it, and the headers that follow from it (RFC 9111). */

import { type Static, type TObject, Type } from 'typebox';
import { givenDateFault, parseGivenDate } from '../../../http/headers/http-date.js';
import type { FieldFault } from '../../../http/http-error.js';
import { integer, oneOf, optionalText } from '../../../kit/describe/value-schemas.js';

/** Every cache can count to this (RFC 9111 section 1.2.2). */
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
  mustRevalidate: directive('must-revalidate'),
  vary: Type.Optional(
    Type.String({
      pattern: "^(?:\\*|[\\w!#$%&'*+.^`|~-]+(?: ?, ?[\\w!#$%&'*+.^`|~-]+){0,9})$",
      maxLength: 300,
      examples: ['Accept,Accept-Language'],
      description:
        'Names of request headers, separated by commas; the body says which values of them it is for.',
    }),
  ),
  etag: Type.Optional(oneOf(['strong', 'weak', 'none'], { description: 'strong without it.' })),
  lastModified: optionalText('A date; true for when it last changed. None without it.'),
  age: seconds('The header Age; once stored, it grows by the clock of the sandbox.'),
  expires: optionalText(
    'A date, or in how many seconds; once kept, these pass by the clock of the sandbox.',
  ),
};

export type Choices = Static<TObject<typeof choiceFields>>;

/** Returns the choices of a query that may have other parameters. */
export function choicesOf(query: Choices): Choices {
  const given = Object.entries(query).filter(([name]) => Object.hasOwn(choiceFields, name));
  return Object.fromEntries(given);
}

/** Returns the faults that the schema cannot express. */
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

/** Times in milliseconds since the Unix epoch. */
export interface CachingFacts {
  /** By the real clock, as Date is. */
  readonly nowMs: number;
  /** How long the choices have been kept, by the clock of the sandbox. */
  readonly keptForMs: number;
  readonly changedAtMs: number;
  /** Opaque: without quotes. */
  readonly tag: string;
}

/**
 * The validators and headers, by name in lower case and without Vary. `kept` are the choices that last, and `asked`
 * those of one request, which count before them.
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
    headers: Object.fromEntries(present) as Readonly<Record<string, string>>,
  };
}

function expiryOf({ expires = '' }: Choices, nowMs: number, passedMs: number): number | undefined {
  return isSeconds(expires) ? nowMs + Number(expires) * 1000 - passedMs : parseGivenDate(expires);
}

function httpDate(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs).toUTCString();
}

/** The value of Cache-Control; empty without any directive. */
export function directivesOf(choices: Choices): string {
  const { maxAge, sMaxage, swr, sie } = choices;
  return [
    choices.private && 'private',
    choices.noStore && 'no-store',
    maxAge !== undefined && `max-age=${maxAge}`,
    sMaxage !== undefined && `s-maxage=${sMaxage}`,
    choices.mustRevalidate && 'must-revalidate',
    swr !== undefined && `stale-while-revalidate=${swr}`,
    sie !== undefined && `stale-if-error=${sie}`,
  ]
    .filter(Boolean)
    .join(', ');
}
