/** The path of passkeys. */

export const path = '/api/auth/passkeys';
