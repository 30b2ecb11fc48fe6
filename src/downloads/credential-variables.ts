/** The credentials of the authentication endpoints, as variables of a collection. */

import { type Config, type CredentialName, settings } from '../config/settings.js';

export type CredentialVariables = Readonly<Record<string, string>>;

type Credentials = Pick<Config, CredentialName>;

export function credentialVariables(credentials: Credentials): CredentialVariables {
  const { basicUser, digestUser, apiKey, bearerTokens, jwtAdmin, oauthClient, hmacSecret } =
    credentials;
  return {
    basicUsername: basicUser.username,
    basicPassword: basicUser.password,
    digestUsername: digestUser.username,
    digestPassword: digestUser.password,
    apiKey,
    adminToken: bearerTokens.admin,
    userToken: bearerTokens.user,
    readOnlyToken: bearerTokens.readOnly,
    jwtUsername: jwtAdmin.username,
    jwtPassword: jwtAdmin.password,
    oauthClientId: oauthClient.username,
    oauthClientSecret: oauthClient.password,
    hmacSecret,
  };
}

/** What services accept that were told nothing else; the calls are recorded with it. */
export function demoVariables(): CredentialVariables {
  const defaults = Object.entries(settings).map(([name, setting]) => [name, setting.default]);
  return credentialVariables(Object.fromEntries(defaults) as Credentials);
}
