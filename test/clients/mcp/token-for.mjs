/** Gets an access token by the OAuth client of the SDK. */

import { auth } from '@modelcontextprotocol/client';

/**
 * @param {string} serverUrl
 * @param {import('./log-in.mjs').Login} login
 * @param {string} [scope]
 */
export async function tokenFor(serverUrl, login, scope) {
  const provider = /** @type {any} */ (login);
  await auth(provider, { serverUrl, ...(scope && { scope }) });
  await auth(provider, {
    serverUrl,
    authorizationCode: String(login.returned.get('code')),
    .../** @type {any} */ ({ iss: login.returned.get('iss') ?? undefined }),
  });
  return String(login.tokens().access_token);
}
