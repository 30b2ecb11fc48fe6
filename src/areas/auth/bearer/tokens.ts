/** The fixed tokens of three roles, with the rights of each. */

import { isSameSecret } from '#http/credentials/is-same-secret.js';

const owners = {
  admin: { user: 'admin', roles: ['admin', 'user'], scopes: ['read', 'write', 'delete'] },
  user: { user: 'user', roles: ['user'], scopes: ['read', 'write'] },
  readOnly: { user: 'read-only', roles: ['read-only'], scopes: ['read'] },
} as const;

export type BearerTokens = Readonly<Record<keyof typeof owners, string>>;

export function parseBearerTokens(text: string): BearerTokens {
  // b64token of RFC 6750 section 2.1.
  const isToken = (part: string) => /^[\w.~+/-]+=*$/.test(part);
  const [admin = '', user = '', readOnly = '', ...rest] = text.split(',');
  const tokens = [admin, user, readOnly];
  if (rest.length > 0 || new Set(tokens).size < 3 || !tokens.every(isToken)) {
    throw new Error(
      'must be three different tokens separated by commas, of letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return { admin, user, readOnly };
}

/** Compares with every token, so that the response time does not reveal a near match. */
export function findOwner(tokens: BearerTokens, given: string) {
  const names = ['admin', 'user', 'readOnly'] as const;
  const [name] = names.filter((each) => isSameSecret(given, tokens[each]));
  return name && owners[name];
}
