/** What may not be in the settings of an issuer, beyond what their schema says: each fault is named where it is. */

import { gotValue } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import {
  type AuthMethod,
  type CertificateName,
  type Client,
  certificateNames,
} from '../clients/client.js';
import { clientFrom } from '../clients/client-metadata.js';
import { withSecret } from '../clients/ready-clients.js';
import { misbehaviourNames } from '../misbehaviour/misbehaviours.js';
import type { IssuerSettings } from './settings-schema.js';

/** All of the settings, as JSON. */
export const maxSettingsBytes = 64 * 1024;

/** What tokens and userinfo say by themselves. */
const ownClaims: ReadonlySet<string> = new Set([
  ...[
    'iss',
    'sub',
    'aud',
    'exp',
    'iat',
    'nbf',
    'jti',
    'azp',
    'nonce',
    'at_hash',
    'c_hash',
    's_hash',
  ],
  ...['auth_time', 'acr', 'amr', 'sid', 'client_id', 'scope', 'cnf'],
]);

type Users = NonNullable<IssuerSettings['users']>;
type Clients = NonNullable<IssuerSettings['clients']>;

/** Empty when they are in order. */
export function checkSettings(settings: IssuerSettings): FieldFault[] {
  const { users = [], clients = [], misbehave = null } = settings;
  const faults = [...checkUsers(users), ...checkClients(clients)];
  if (misbehave !== null && !misbehaviourNames.some((name) => name === misbehave)) {
    const known = misbehaviourNames.join(', ');
    faults.push(
      fault('misbehave', `must be null or one of ${known}${gotValue('misbehave', misbehave)}`),
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > maxSettingsBytes) {
    faults.push({
      field: 'body',
      message: `The settings must be at most ${maxSettingsBytes} bytes as JSON; got ${bytes}.`,
    });
  }
  return faults;
}

function checkUsers(users: Users): FieldFault[] {
  const names = users.map(({ username }) => username);
  return users.flatMap(({ username, claims = {} }, index) => {
    const field = `users.${index}`;
    const faults = repeated(names, index, `${field}.username`);
    if (username === 'deny')
      faults.push(fault(`${field}.username`, 'must not be deny, which auto=deny means'));
    for (const name of Object.keys(claims)) {
      if (!ownClaims.has(name)) continue;
      faults.push(
        fault(`${field}.claims.${name}`, 'must be left out: the issuer makes this claim itself'),
      );
    }
    return faults;
  });
}

function checkClients(clients: Clients): FieldFault[] {
  const ids = clients.map(({ clientId }) => clientId);
  return clients.flatMap((given, index) => {
    const field = `clients.${index}`;
    const faults = repeated(ids, index, `${field}.clientId`);
    if (!hasCredentials(given) && (given.redirectUris ?? []).length === 0) {
      faults.push(fault(`${field}.redirectUris`, 'is missing, and so is clientSecret'));
      return faults;
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
  return first === index
    ? []
    : [
        fault(
          field,
          `must be unique${gotValue(field, names[index])}, that of number ${first + 1} as well`,
        ),
      ];
}

function fault(field: string, what: string): FieldFault {
  return { field, message: `${field} ${what}.` };
}

/** A client as the issuer knows it: with a secret it may act by itself, with redirect addresses for people. */
export function clientOf(given: Clients[number]): Client {
  const { clientId, clientSecret, name, redirectUris = [], postLogoutRedirectUris = [] } = given;
  const isForPeople = redirectUris.length > 0;
  const certificate = certificateIn(given);
  const metadata = {
    client_name: name ?? clientId,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    ...certificate,
    token_endpoint_auth_method: methodOf(given),
    ...(given.tls_client_certificate_bound_access_tokens !== undefined && {
      tls_client_certificate_bound_access_tokens: given.tls_client_certificate_bound_access_tokens,
    }),
    grant_types: [
      ...(isForPeople ? (['authorization_code', 'refresh_token'] as const) : []),
      ...(hasCredentials(given) ? (['client_credentials'] as const) : []),
    ],
    ...(given.accessToken !== undefined && { access_token_format: given.accessToken }),
    ...(given.idTokenAlg !== undefined && { id_token_signed_response_alg: given.idTokenAlg }),
  } as const;
  const client = clientFrom(
    { ...metadata, grant_types: [...metadata.grant_types] },
    clientId,
    clientSecret ?? '',
  );
  if (clientSecret === undefined) return client;
  if (client.certificate === undefined) return { ...client, authMethods: withSecret };
  const authMethods: Client['authMethods'] = [...withSecret, 'tls_client_auth'];
  return { ...client, secret: clientSecret, authMethods };
}

function certificateIn(given: Clients[number]): Pick<Clients[number], CertificateName['by']> {
  const names = certificateNames.filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

function methodOf(given: Clients[number]): AuthMethod {
  const isCertified = Object.keys(certificateIn(given)).length > 0;
  if (isCertified || given.token_endpoint_auth_method !== undefined) return 'tls_client_auth';
  return given.clientSecret === undefined ? 'none' : 'client_secret_basic';
}

function hasCredentials(given: Clients[number]): boolean {
  return given.clientSecret !== undefined || methodOf(given) === 'tls_client_auth';
}
