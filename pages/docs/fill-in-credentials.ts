/** Fills in the credentials from `GET /api/auth`, so that every operation can be tried at once. */

import type { Viewer } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { addressOf, isAccountAddress } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';
import { keyToSend } from '../shared/service-key.js';
import { type Description, isSecuredBy, operationsOf } from './description.js';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Present if the service has the scheme. */
interface Credentials {
  readonly basic?: Login;
  readonly digest?: Login;
  readonly apiKey?: string;
  readonly bearer?: { readonly admin: string };
  readonly jwt?: readonly Login[];
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string };
  readonly oidc?: {
    readonly clients: readonly { readonly clientId: string; readonly clientSecret?: string }[];
  };
}

export async function fillInCredentials(description: Description, viewer: Viewer): Promise<void> {
  const { securitySchemes } = description.components;
  const fillLogin = (scheme: string, login?: Login) => {
    if (login !== undefined) viewer.preauthorizeBasic(scheme, login.username, login.password);
  };
  const fillKey = (scheme: string, key?: string) => {
    if (key !== undefined && scheme in securitySchemes) viewer.preauthorizeApiKey(scheme, key);
  };

  fillKey('serviceKey', keyToSend());
  for (const scheme of ['pathBasic', 'pathUser', 'pathDigest']) {
    if (scheme in securitySchemes) fillLogin(scheme, loginInPath(description, scheme));
  }
  const credentials = await publishedCredentials(description);
  if (credentials === undefined) return;
  const { basic, digest, apiKey, bearer, jwt: [first] = [], oauth, oidc } = credentials;
  fillLogin('basic', basic);
  fillLogin('digest', digest);
  for (const scheme of ['apiKeyHeader', 'apiKeyQuery', 'apiKeyCookie']) fillKey(scheme, apiKey);
  fillKey('bearer', bearer?.admin);
  fillKey('anyBearer', bearer?.admin);
  const client = oidc?.clients.find(({ clientSecret }) => clientSecret !== undefined);
  if (client?.clientSecret !== undefined && 'oidcClient' in securitySchemes) {
    fillLogin('oidcClient', { username: client.clientId, password: client.clientSecret });
  }
  if (oauth !== undefined) {
    const { clientId, clientSecret } = oauth;
    fillLogin('oauthClient', { username: clientId, password: clientSecret });
    viewer.initOAuth({ clientId, clientSecret });
    const token = await oauthToken(clientId, clientSecret);
    const schema = { ...securitySchemes.oauth, flow: 'clientCredentials' };
    const auth = { name: 'oauth', schema, clientId, clientSecret };
    viewer.getSystem().authActions.authorizeOauth2({ auth, token });
  }
  if (first !== undefined) {
    const { accessToken } = await callJson<{ readonly accessToken: string }>(
      addressOf('/api/auth/jwt/login'),
      'POST',
      first,
    );
    fillKey('jwt', accessToken);
  }
}

/** Returns none if an account is required and this browser has none. */
async function publishedCredentials(description: Description): Promise<Credentials | undefined> {
  const path = '/api/auth';
  const index = operationsOf(description).find((operation) => operation.path === path);
  if (index === undefined) return undefined;
  const isOpen = isAccountAddress() || !isSecuredBy(index, 'serviceKey');
  if (!isOpen && keyToSend() === undefined) return undefined;
  const { credentials } = await callJson<{ readonly credentials: Credentials }>(addressOf(path));
  return credentials;
}

/** Returns the login that paths of the scheme contain, from the examples of their parameters. */
function loginInPath(description: Description, scheme: string): Login | undefined {
  const { parameters: shared } = description.components;
  const named = operationsOf(description)
    .filter((each) => isSecuredBy(each, scheme))
    .map(({ parameters = [] }) =>
      parameters
        .map((parameter) => shared[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter)
        .filter((parameter) => parameter.in === 'path' && parameter.name !== 'qop'),
    )
    .sort((one, other) => other.length - one.length)[0];
  // A path without a password means an empty one.
  const [username, password = ''] = named?.map(({ example }) => String(example)) ?? [];
  return username === undefined ? undefined : { username, password };
}

async function oauthToken(id: string, secret: string): Promise<Record<string, unknown>> {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const response = await call(addressOf('/api/auth/oauth/token'), {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return (await response.json()) as Record<string, unknown>;
}
