/** Scopes (RFC 6749 section 3.3). */

import { oauthError } from './oauth-error.js';

export const knownScopes = ['read', 'write', 'profile', 'email'] as const;

/** What is granted: each scope asked for, once and in order, or all when none is named. */
export function grantScope(asked: string | undefined): string {
  if (asked === undefined) return knownScopes.join(' ');
  const scopes = asked.split(' ');
  if (!scopes.every((scope) => knownScopes.some((known) => known === scope))) {
    throw oauthError(
      'invalid_scope',
      `The scope must be one or more of ${knownScopes.join(', ')}, separated by one space.`,
    );
  }
  return [...new Set(scopes)].join(' ');
}
