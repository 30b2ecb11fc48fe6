/** Parses scopes (RFC 6749 section 3.3). */

import { OAuthError } from './oauth-error.js';

interface ScopeRule {
  /** The scopes that may be requested. */
  readonly allowed: readonly string[];
  /** The default scopes; without it, all allowed scopes. */
  readonly usual?: readonly string[];
  /** The message for other scopes. */
  readonly fault: string;
}

/** Returns each requested scope once and in order. Throws {@link OAuthError}. */
export function readScope(
  scope: string | undefined,
  { allowed, usual = allowed, fault }: ScopeRule,
): readonly string[] {
  if (scope === undefined) return usual;
  const requested = [...new Set(scope.split(' '))];
  if (requested.every((each) => allowed.includes(each))) return requested;
  throw new OAuthError('invalid_scope', fault);
}
