/** What may not be in the settings of an issuer, beyond what their schema says: each fault is named where it is. */

import { gotValue } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { type AuthMethod, type Client, certificateNames, withSecret } from '../clients/client.js';
import { type ClientMetadata, clientFrom } from '../clients/client-metadata.js';
import { isMisbehaviour, misbehaviourNames } from '../misbehaviour/misbehaviours.js';
import type { IssuerSettings } from './issuer-settings.js';

const maxSettingsBytes = 64 * 1024;

/** What tokens and userinfo say by themselves. */
const ownClaims = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'nonce', 'at_hash', 'c_hash'],
  ...['s_hash', 'auth_time', 'acr', 'amr', 'sid', 'client_id', 'scope', 'cnf'],
];

type Users = NonNullable<IssuerSettings['users']>;
type Clients = NonNullable<IssuerSettings['clients']>;

export function checkSettings(settings: IssuerSettings): FieldFault[] {
  const { users = [], clients = [], misbehave = null } = settings;
  const faults = [...checkUsers(users), ...checkClients(clients)];
  if (misbehave !== null && !isMisbehaviour(misbehave)) {
    const got = gotValue('misbehave', misbehave);
    faults.push(fault('misbehave', `must be null or one of ${misbehaviourNames.join(', ')}${got}`));
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > maxSettingsBytes) {
    const message = `The settings must be at most ${maxSettingsBytes} bytes as JSON; got ${bytes}.`;
    faults.push({ field: 'body', message });
  }
  return faults;
}

function checkUsers(users: Users): FieldFault[] {
  const names = users.map(({ username }) => username);
  return users.flatMap(({ username, claims = {} }, index) => {
    const field = `users.${index}`;
    const faults = repeated(names, index, `${field}.username`);
    if (username === 'deny') {
      faults.push(fault(`${field}.username`, 'must not be deny, which auto=deny means'));
    }
    const taken = Object.keys(claims).filter((name) => ownClaims.includes(name));
    const what = 'must be left out: the issuer makes this claim itself';
    return [...faults, ...taken.map((name) => fault(`${field}.claims.${name}`, what))];
  });
}

function checkClients(clients: Clients): FieldFault[] {
  const ids = clients.map(({ clientId }) => clientId);
  return clients.flatMap((given, index) => {
    const field = `clients.${index}`;
    const faults = repeated(ids, index, `${field}.clientId`);
    if (methodOf(given) === 'none' && (given.redirectUris ?? []).length === 0) {
      return [...faults, fault(`${field}.redirectUris`, 'is missing, and so is clientSecret')];
    }
    try {
      clientOf(given);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      faults.push({ field, message: `${field} is invalid: ${error.message}` });
    }
    return faults;
  });
}

function repeated(names: readonly string[], index: number, field: string): FieldFault[] {
  const first = names.indexOf(names[index] ?? '');
  if (first === index) return [];
  const got = gotValue(field, names[index]);
  return [fault(field, `must be unique${got}, that of number ${first + 1} as well`)];
}

function fault(field: string, what: string): FieldFault {
  return { field, message: `${field} ${what}.` };
}

/** Makes the client: with a secret it may act by itself, with redirect URIs for people. */
export function clientOf(given: Clients[number]): Client {
  const { clientId, clientSecret, name = clientId, redirectUris = [], ...more } = given;
  const method = methodOf(given);
  const metadata = {
    ...more,
    client_name: name,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: given.postLogoutRedirectUris,
    token_endpoint_auth_method: method,
    grant_types: [
      ...(redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : []),
      ...(method === 'none' ? [] : ['client_credentials']),
    ],
    access_token_format: given.accessToken,
    id_token_signed_response_alg: given.idTokenAlg,
  };
  const client = clientFrom(metadata as ClientMetadata, clientId, clientSecret ?? '');
  if (clientSecret === undefined) return client;
  const certified: readonly AuthMethod[] = client.certificate ? ['tls_client_auth'] : [];
  return { ...client, secret: clientSecret, authMethods: [...withSecret, ...certified] };
}

function methodOf(given: Clients[number]): AuthMethod {
  const isCertified = certificateNames.some((name) => given[name] !== undefined);
  if (isCertified || given.token_endpoint_auth_method !== undefined) return 'tls_client_auth';
  return given.clientSecret === undefined ? 'none' : 'client_secret_basic';
}
