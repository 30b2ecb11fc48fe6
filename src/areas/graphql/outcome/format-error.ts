/** Formats GraphQL errors (GraphQL October 2021, section 7.1.2). */

import type { GraphQLError } from 'graphql';
import { describeExcess, type LimitName, limits } from './limits.js';

/** Error codes for programs. Validation errors have the rule in `specifiedBy` instead. */
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

/** A formatted error; empty members are absent. */
export interface ErrorEntry {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Messages and members quote input, which may be long. */
const maxMessageLength = 1000;
const maxMemberLength = 200;

/** An argument that is repeated a thousand times has a thousand locations. */
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

/** Makes an error about the whole request. */
export function requestError(
  code: ErrorCode,
  message: string,
  members: Readonly<Record<string, unknown>> = {},
): ErrorEntry {
  return { message: shorten(message, maxMessageLength), extensions: { code, ...members } };
}

/** Makes an error about a request above a limit. */
export function excess(limit: LimitName, actual: number): ErrorEntry {
  const members = { limit, maximum: limits[limit] };
  return requestError('LIMIT_EXCEEDED', describeExcess(limit, actual), members);
}

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half of a surrogate pair is not a character.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the body of a response without data. */
export function errorsBody(errors: readonly ErrorEntry[]): string {
  return JSON.stringify({ errors });
}
