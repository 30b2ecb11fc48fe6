/** The fixed tokens of three roles, and what each may do. */

import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import type { BearerTokens } from './settings.js';

export interface TokenOwner {
  readonly user: string;
  readonly roles: string[];
  readonly scopes: string[];
}

const owners: Readonly<Record<keyof BearerTokens, TokenOwner>> = {
  admin: { user: 'admin', roles: ['admin', 'user'], scopes: ['read', 'write', 'delete'] },
  user: { user: 'user', roles: ['user'], scopes: ['read', 'write'] },
  readOnly: { user: 'read-only', roles: ['read-only'], scopes: ['read'] },
};

/** Compares with every token, so that the time tells nothing of which was near. */
export function findOwner(tokens: BearerTokens, given: string): TokenOwner | undefined {
  let found: TokenOwner | undefined;
  for (const name of ['admin', 'user', 'readOnly'] as const) {
    if (isSameSecret(given, tokens[name])) found = owners[name];
  }
  return found;
}
