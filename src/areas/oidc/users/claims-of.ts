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

/**
 * Those that the scopes stand for, those that are named, and those of the user that no scope stands for;
 * what a user lacks is left out.
 */
export function claimsOf(
  user: User,
  scopes: readonly string[],
  named: readonly string[] = [],
): Record<string, unknown> {
  const all = allClaims(user);
  const custom = Object.keys(user.claims).filter((name) => !claimNames.includes(name));
  const wanted = [...scopes.flatMap((scope) => claimsByScope[scope] ?? []), ...named, ...custom];
  const found = wanted.filter((name) => Object.hasOwn(all, name));
  return Object.fromEntries([...new Set(found)].map((name) => [name, all[name]]));
}

function allClaims({ username, roles, claims }: User): Readonly<Record<string, unknown>> {
  return { preferred_username: username, ...(roles.length > 0 && { roles }), ...claims };
}
