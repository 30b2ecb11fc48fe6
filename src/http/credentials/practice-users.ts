/** Users that can log in everywhere: public on purpose, like all credentials here. */

export interface PracticeUser {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly string[];
  /** In base32; a user with a secret must also send a code (RFC 6238). */
  readonly totpSecret?: string;
  /** Each can be used once instead of a code. */
  readonly recoveryCodes?: readonly string[];
}

export const ada: PracticeUser = { username: 'ada', password: 'ada-secret', roles: ['user'] };

export const grace: PracticeUser = {
  username: 'grace',
  password: 'grace-secret',
  roles: ['user', 'admin'],
};

export const alan: PracticeUser = {
  username: 'alan',
  password: 'alan-secret',
  roles: ['user'],
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  recoveryCodes: ['7k2m-q9xd', 'p4tr-83ws', 'z6nb-h2fv', 'c9jy-5gke', 'w3ua-m7rt', 'd8qs-4xnp'],
};

export const practiceUsers: readonly PracticeUser[] = [ada, grace, alan];
