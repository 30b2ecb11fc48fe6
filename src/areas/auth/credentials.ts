/** Everything that this area lets in. It guards nothing: it is there to be used. */

import type { Config } from '../../config/settings.js';
import type { TestCredential } from '../../server/area.js';
import { jwtUsers } from './jwt/users.js';
import { knownScopes } from './oauth/grant-scope.js';

export function credentialsOf(config: Config) {
  const { basicUser, digestUser, apiKey, bearerTokens, oauthClient, hmacSecret } = config;
  return {
    basic: basicUser,
    digest: digestUser,
    apiKey,
    bearer: bearerTokens,
    jwt: jwtUsers(config).map(({ username, password, role }) => ({ username, password, role })),
    oauth: {
      clientId: oauthClient.username,
      clientSecret: oauthClient.password,
      scopes: [...knownScopes],
    },
    hmac: { secret: hmacSecret },
  };
}

/** The same, as people read it. */
export function listCredentials(config: Config): readonly TestCredential[] {
  const { basic, digest, apiKey, bearer, jwt, oauth, hmac } = credentialsOf(config);
  const user = (title: string, { username, password }: { username: string; password: string }) => ({
    title,
    parts: [
      { name: 'User name', value: username },
      { name: 'Password', value: password },
    ],
  });
  return [
    user('Basic', basic),
    user('Digest', digest),
    { title: 'API key', parts: [{ name: 'Key', value: apiKey }] },
    {
      title: 'Bearer tokens',
      parts: [
        { name: 'Admin', value: bearer.admin },
        { name: 'User', value: bearer.user },
        { name: 'Read-only', value: bearer.readOnly },
      ],
    },
    ...jwt.map((each) => user(`JWT login, ${each.role}`, each)),
    {
      title: 'OAuth 2.0 client',
      parts: [
        { name: 'Client id', value: oauth.clientId },
        { name: 'Client secret', value: oauth.clientSecret },
      ],
    },
    { title: 'HMAC', parts: [{ name: 'Secret', value: hmac.secret }] },
  ];
}
