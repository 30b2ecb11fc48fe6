/** What a caller chooses about the caching of a resource, and the headers that follow from it (RFC 9111). */

import { type Static, Type } from 'typebox';
import { gotParameter } from '../../../base/text/got-value.js';
import { parseGivenDate } from '../../../http/headers/http-date.js';
import type { FieldFault } from '../../../http/http-error.js';

/** What caches can count to at least (RFC 9111 section 1.2.2). */
const maxSeconds = 2_147_483_648;

const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: maxSeconds, description }));
const directive = (name: string) =>
  Type.Optional(Type.Boolean({ description: `The directive ${name}.` }));

export const choicesSchema = Type.Object({
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
      description: 'Headers of requests by comma; the body says which values of them it is for.',
    }),
  ),
  etag: Type.Optional(
    Type.Unsafe<'strong' | 'weak' | 'none'>({
      type: 'string',
      enum: ['strong', 'weak', 'none'],
      description: 'strong without it.',
    }),
  ),
  lastModified: Type.Optional(
    Type.String({ description: 'A date; true for when it last changed. None without it.' }),
  ),
  age: seconds('The header Age; once stored, it grows by the clock of the sandbox.'),
  expires: Type.Optional(
    Type.String({
      description:
        'A date, or in how many seconds; once kept, these pass by the clock of the sandbox.',
    }),
  ),
});

export type Choices = Static<typeof choicesSchema>;

/** Those of a query that may say more. */
export function choicesOf(query: Choices): Choices {
  const names = Object.keys(choicesSchema.properties);
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));
}

/** What the schema cannot say; empty when all is well. */
export function checkChoices({ lastModified = 'true', expires = '0' }: Choices): FieldFault[] {
  const faults: FieldFault[] = [];
  if (lastModified !== 'true' && parseGivenDate(lastModified) === undefined) {
    const got = gotParameter('lastModified', lastModified);
    const message = `lastModified must be true, or a date in ISO 8601 or as HTTP writes it${got}.`;
    faults.push({ field: 'lastModified', message });
  }
  if (!isSeconds(expires) && parseGivenDate(expires) === undefined) {
    const got = gotParameter('expires', expires);
    const message = `expires must be seconds, or a date in ISO 8601 or as HTTP writes it${got}.`;
    faults.push({ field: 'expires', message });
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
  /** When the resource last changed. */
  readonly changedAtMs: number;
  /** Opaque: without quotes. */
  readonly tag: string;
}

export interface CachingHeaders {
  readonly entityTag: string | undefined;
  readonly lastModifiedMs: number | undefined;
  /** By name in lower case; Vary is not among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `kept` are the choices that last, and `asked` those of one request, which count before them. */
export function cachingHeaders(
  kept: Choices,
  asked: Choices,
  { nowMs, keptForMs, changedAtMs, tag }: CachingFacts,
): CachingHeaders {
  const choices = { ...kept, ...asked };
  const { etag = 'strong', lastModified, expires } = choices;
  const passedMs = Math.max(0, keptForMs);
  const entityTag = etag === 'none' ? undefined : `${etag === 'weak' ? 'W/' : ''}"${tag}"`;
  const lastModifiedMs =
    lastModified === undefined
      ? undefined
      : lastModified === 'true'
        ? changedAtMs
        : parseGivenDate(lastModified);
  const directives = directivesOf(choices);
  const age =
    asked.age ?? (kept.age === undefined ? undefined : kept.age + Math.floor(passedMs / 1000));
  const expiresMs =
    expires === undefined
      ? undefined
      : isSeconds(expires)
        ? nowMs + Number(expires) * 1000 - (asked.expires === undefined ? passedMs : 0)
        : parseGivenDate(expires);
  return {
    entityTag,
    lastModifiedMs,
    headers: {
      ...(directives !== '' && { 'cache-control': directives }),
      ...(entityTag !== undefined && { etag: entityTag }),
      ...(lastModifiedMs !== undefined && { 'last-modified': httpDate(lastModifiedMs) }),
      ...(age !== undefined && { age: String(age) }),
      ...(expiresMs !== undefined && { expires: httpDate(expiresMs) }),
    },
  };
}

function httpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString();
}

/** The value of Cache-Control; empty when nothing was chosen that it says. */
export function directivesOf(choices: Choices): string {
  const counted = (name: string, value: number | undefined) =>
    value === undefined ? undefined : `${name}=${value}`;
  return [
    choices.private && 'private',
    choices.noStore && 'no-store',
    counted('max-age', choices.maxAge),
    counted('s-maxage', choices.sMaxage),
    choices.mustRevalidate && 'must-revalidate',
    counted('stale-while-revalidate', choices.swr),
    counted('stale-if-error', choices.sie),
  ]
    .filter(Boolean)
    .join(', ');
}
