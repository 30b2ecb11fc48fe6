/** The path of sessions. */

export const path = '/api/auth/session';
