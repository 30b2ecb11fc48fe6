/** The people of a sandbox: those that it has set, and those that are ready and not replaced. */

import type { Sandbox } from '../../../state/state.js';
import { type KeptSettings, settingsOf } from '../settings/issuer-settings.js';
import { readyUsers, type User } from './ready-users.js';

export async function findUser(sandbox: Sandbox, username: string): Promise<User | undefined> {
  const { users } = await settingsOf(sandbox);
  const own = users.find((user) => user.username === username);
  return own === undefined ? readyUsers.find((user) => user.username === username) : asUser(own);
}

/** In the order in which a page lists them. */
export async function usersOf(sandbox: Sandbox): Promise<readonly User[]> {
  const { users } = await settingsOf(sandbox);
  if (users.length === 0) return readyUsers;
  const names = new Set(users.map(({ username }) => username));
  return [...users.map(asUser), ...readyUsers.filter(({ username }) => !names.has(username))];
}

function asUser({ claims = {}, ...user }: KeptSettings['users'][number]): User {
  const { roles } = claims;
  const listed = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
  return { ...user, claims, roles: listed };
}
