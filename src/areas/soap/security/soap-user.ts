import { ada } from '#http/credentials/practice-users.js';

/** The only user, which GET /api/auth lists. */
export const soapUser = { username: ada.username, password: ada.password };
