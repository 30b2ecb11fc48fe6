/** The people who can log in: public on purpose, as all credentials here. */

import { ada, alan, grace, type PracticeUser } from '../../../http/credentials/practice-users.js';

export interface User extends PracticeUser {
  /** What is known beyond the name and the roles, or instead of them. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** 1 January 2026: what is known of these people does not change. */
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

export const readyUsers: readonly User[] = [
  person(ada, 'Ada', 'Lovelace', '1815-12-10', 'Europe/London'),
  person(grace, 'Grace', 'Hopper', '1906-12-09', 'America/New_York'),
  person(alan, 'Alan', 'Turing', '1912-06-23', 'Europe/London'),
];

/** As `GET /api/auth` lists them. */
export function describeReadyUsers() {
  return readyUsers.map(({ username, password, roles, totpSecret, recoveryCodes }) => ({
    username,
    password,
    roles: [...roles],
    ...(totpSecret !== undefined && { totpSecret }),
    ...(recoveryCodes !== undefined && { recoveryCodes: [...recoveryCodes] }),
  }));
}
