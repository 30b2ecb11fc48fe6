/** The people who can log in: public on purpose, as all credentials here. */

export interface User {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly string[];
  /** In base32; whoever has one logs in with a code as well (RFC 6238). */
  readonly totpSecret?: string;
  /** In place of such a code, each once: for whoever has lost the app. */
  readonly recoveryCodes?: readonly string[];
  /** What is known beyond the name and the roles, or instead of them. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** 1 January 2026: what is known of these people does not change. */
const updatedAt = 1_767_225_600;

function person(name: string, family: string, born: string, zone: string) {
  const username = name.toLowerCase();
  return {
    username,
    password: `${username}-secret`,
    claims: {
      name: `${name} ${family}`,
      given_name: name,
      family_name: family,
      nickname: name,
      birthdate: born,
      zoneinfo: zone,
      locale: 'en',
      updated_at: updatedAt,
      email: `${username}@example.com`,
      email_verified: true,
      address: { country: 'United Kingdom', locality: 'London', postal_code: 'W1J 9HL' },
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
    },
  };
}

export const readyUsers: readonly User[] = [
  { ...person('Ada', 'Lovelace', '1815-12-10', 'Europe/London'), roles: ['user'] },
  { ...person('Grace', 'Hopper', '1906-12-09', 'America/New_York'), roles: ['user', 'admin'] },
  {
    ...person('Alan', 'Turing', '1912-06-23', 'Europe/London'),
    roles: ['user'],
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    recoveryCodes: ['bletchley-1', 'bletchley-2', 'bletchley-3', 'bletchley-4', 'bletchley-5'],
  },
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
