/** The claims of a user (OpenID Connect Core section 5): by scope (5.4), or each by its name (5.5). */

import type { User } from './ready-users.js';

export const claimsByScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'nickname',
    'preferred_username',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
    'roles',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

export const claimNames: readonly string[] = Object.values(claimsByScope).flat();

/** 1 January 2026: what is known of these people does not change. */
const updatedAt = 1_767_225_600;

/** Those that the scopes stand for and those that are named; what a user lacks is left out. */
export function claimsOf(
  user: User,
  scopes: readonly string[],
  named: readonly string[] = [],
): Record<string, unknown> {
  const all = allClaims(user);
  const wanted = [...scopes.flatMap((scope) => claimsByScope[scope] ?? []), ...named];
  const found = wanted.filter((name) => claimNames.includes(name) || Object.hasOwn(all, name));
  return Object.fromEntries(
    [...new Set(found)].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}

function allClaims({ username, roles, claims }: User): Readonly<Record<string, unknown>> {
  return {
    preferred_username: username,
    roles,
    updated_at: updatedAt,
    email: `${username}@example.com`,
    email_verified: true,
    address: { country: 'United Kingdom', locality: 'London', postal_code: 'W1J 9HL' },
    phone_number: '+44 20 7946 0000',
    phone_number_verified: false,
    ...claims,
  };
}
