/** The users who can log in, and their claims (OpenID Connect Core section 5). */

import { ada, alan, grace, type PracticeUser } from '#http/credentials/practice-users.js';
import type { Sandbox } from '#state/state.js';
import { type KeptSettings, settingsOf } from './issuer-settings.js';

export interface User extends PracticeUser {
  /** Claims beyond or instead of the name and the roles. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** 1 January 2026: the claims of these users do not change. */
const updatedAt = 1_767_225_600;

function person(
  user: PracticeUser,
  name: string,
  family: string,
  born: string,
  zone: string,
): User {
  return {
    ...user,
    claims: {
      name: `${name} ${family}`,
      given_name: name,
      family_name: family,
      nickname: name,
      birthdate: born,
      zoneinfo: zone,
      locale: 'en',
      updated_at: updatedAt,
      email: `${user.username}@example.com`,
      email_verified: true,
      address: { country: 'United Kingdom', locality: 'London', postal_code: 'W1J 9HL' },
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
    },
  };
}

const readyUsers: readonly User[] = [
  person(ada, 'Ada', 'Lovelace', '1815-12-10', 'Europe/London'),
  person(grace, 'Grace', 'Hopper', '1906-12-09', 'America/New_York'),
  person(alan, 'Alan', 'Turing', '1912-06-23', 'Europe/London'),
];

export function describeReadyUsers() {
  return readyUsers.map(({ claims: _, ...user }) => user);
}

/** Returns the users of a sandbox: its settings, and the demo users that they do not replace. */
export async function usersOf(sandbox: Sandbox): Promise<readonly User[]> {
  const { users } = await settingsOf(sandbox);
  const names = users.map(({ username }) => username);
  return [...users.map(asUser), ...readyUsers.filter(({ username }) => !names.includes(username))];
}

export async function findUser(sandbox: Sandbox, username: string): Promise<User | undefined> {
  return (await usersOf(sandbox)).find((user) => user.username === username);
}

function asUser({ claims = {}, accessClaims: _, ...user }: KeptSettings['users'][number]): User {
  const { roles } = claims;
  const listed = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
  return { ...user, claims, roles: listed };
}

/** Returns the custom claims of a grant's access tokens: of its client, then of its user. */
export async function accessClaimsOf(
  sandbox: Sandbox,
  { clientId, sub, isOfUser }: { clientId: string; sub: string; isOfUser: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  const { clients, users } = await settingsOf(sandbox);
  const client = clients.find((each) => each.clientId === clientId);
  const user = isOfUser ? users.find(({ username }) => username === sub) : undefined;
  return { ...client?.claims, ...user?.accessClaims };
}

const claimsByScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    ...['name', 'given_name', 'family_name', 'nickname', 'preferred_username', 'birthdate'],
    ...['zoneinfo', 'locale', 'updated_at', 'roles'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

export const claimNames: readonly string[] = Object.values(claimsByScope).flat();

/**
 * Returns the claims of the scopes (section 5.4), claims requested by name (5.5), and claims of the user that belong to
 * no scope. Omits claims that the user lacks.
 */
export function claimsOf(
  { username, roles, claims }: User,
  scopes: readonly string[],
  named: readonly string[] = [],
): Record<string, unknown> {
  const all: Readonly<Record<string, unknown>> = {
    preferred_username: username,
    ...(roles.length > 0 && { roles }),
    ...claims,
  };
  const custom = Object.keys(claims).filter((name) => !claimNames.includes(name));
  const wanted = [...scopes.flatMap((scope) => claimsByScope[scope] ?? []), ...named, ...custom];
  const found = wanted.filter((name) => Object.hasOwn(all, name));
  return Object.fromEntries(found.map((name) => [name, all[name]]));
}
