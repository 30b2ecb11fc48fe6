/** The path below which requests are signed. */

export const path = '/api/auth/signature';
