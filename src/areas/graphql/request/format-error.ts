/** GraphQL errors as they are sent (GraphQL October 2021, section 7.1.2). */

import type { GraphQLError } from 'graphql';
import { describeExcess, type LimitName, limits } from './limits.js';

/** What went wrong, for programs. Errors of the validation name the rule instead, in `specifiedBy`. */
export type ErrorCode =
  | 'SYNTAX_ERROR'
  | 'INVALID_REQUEST'
  | 'NOT_ACCEPTABLE'
  | 'METHOD_NOT_ALLOWED'
  | 'VARIABLE_INVALID'
  | 'OPERATION_NOT_FOUND'
  | 'LIMIT_EXCEEDED'
  | 'INTROSPECTION_DISABLED'
  | 'BAD_USER_INPUT'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'STATE_UNAVAILABLE'
  | 'INTERNAL';

/** An error as it is sent; members that would be empty are absent. */
export interface ErrorEntry {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Messages and members quote what was sent, which may be long. */
const maxMessageLength = 1000;
const maxMemberLength = 200;

/** An argument given a thousand times has a thousand places. */
const maxLocations = 10;

export function formatError(
  { message, locations, path }: Pick<GraphQLError, 'message' | 'locations' | 'path'>,
  extensions: Readonly<Record<string, unknown>> = {},
): ErrorEntry {
  const members = Object.entries(extensions).map(([name, value]) => [
    name,
    typeof value === 'string' ? shorten(value, maxMemberLength) : value,
  ]);
  return {
    message: shorten(message, maxMessageLength),
    ...(locations?.length && { locations: locations.slice(0, maxLocations) }),
    ...(path?.length && { path }),
    ...(members.length > 0 && { extensions: Object.fromEntries(members) }),
  };
}

/** An error about the whole request. */
export function requestError(
  code: ErrorCode,
  message: string,
  members: Readonly<Record<string, unknown>> = {},
): ErrorEntry {
  return { message: shorten(message, maxMessageLength), extensions: { code, ...members } };
}

/** An error about a request beyond a limit. */
export function excess(limit: LimitName, actual: number): ErrorEntry {
  const members = { limit, maximum: limits[limit] };
  return requestError('LIMIT_EXCEEDED', describeExcess(limit, actual), members);
}

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half of a surrogate pair would not be a character.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The body of a response without data. */
export function errorsBody(errors: readonly ErrorEntry[]): string {
  return JSON.stringify({ errors });
}
