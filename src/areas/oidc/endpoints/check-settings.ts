/** Checks the settings of an issuer beyond their schema. Each error names its exact place. */

import { gotValue } from '#base/text/got-value.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { isMisbehaviour, misbehaviourNames } from '../misbehaviour/misbehaviours.js';
import { checkDocuments } from '../model/client-documents.js';
import { clientOf, methodOf } from '../model/configured-client.js';
import type { IssuerSettings } from '../model/issuer-settings.js';

const maxSettingsBytes = 64 * 1024;

/** The limit for `claims` of a client, and for `accessClaims` of a user: a token must fit into a header. */
const maxAccessClaimsBytes = 2048;

/** Claims that tokens and userinfo always set. */
const ownClaims = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'nonce', 'at_hash', 'c_hash'],
  ...['s_hash', 'auth_time', 'acr', 'amr', 'sid', 'client_id', 'scope', 'cnf'],
];

/** Claims that access tokens and introspection always set. */
const ownAccessClaims = [...ownClaims, 'act', 'active', 'username', 'token_type'];

type Claims = Readonly<Record<string, unknown>>;

type Users = NonNullable<IssuerSettings['users']>;
type Clients = NonNullable<IssuerSettings['clients']>;

export function checkSettings(settings: IssuerSettings): FieldFault[] {
  const { users = [], clients = [], misbehave = null } = settings;
  const { scopes = [], resources = [], clientDocuments = {} } = settings;
  const faults = [
    ...checkUsers(users),
    ...checkClients(clients, resources),
    ...checkDocuments(clientDocuments),
    ...scopes.flatMap((_, index) => repeated(scopes, index, `scopes.${index}`)),
    ...resources.flatMap((_, index) => repeated(resources, index, `resources.${index}`)),
  ];
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
  return users.flatMap(({ username, claims = {}, accessClaims = {} }, index) => {
    const field = `users.${index}`;
    const faults = repeated(names, index, `${field}.username`);
    if (username === 'deny') {
      faults.push(
        fault(`${field}.username`, 'must not be deny, because auto=deny denies the request'),
      );
    }
    return [
      ...faults,
      ...reserved(claims, ownClaims, `${field}.claims`),
      ...checkAccessClaims(accessClaims, `${field}.accessClaims`),
    ];
  });
}

function checkAccessClaims(claims: Claims, field: string): FieldFault[] {
  const bytes = Buffer.byteLength(JSON.stringify(claims));
  const what = `must be at most ${maxAccessClaimsBytes} bytes as JSON; got ${bytes}`;
  const faults = bytes > maxAccessClaimsBytes ? [fault(field, what)] : [];
  return [...faults, ...reserved(claims, ownAccessClaims, field)];
}

function reserved(claims: Claims, own: readonly string[], field: string): FieldFault[] {
  const taken = Object.keys(claims).filter((name) => own.includes(name));
  const what = 'must be omitted: the issuer sets this claim itself';
  return taken.map((name) => fault(`${field}.${name}`, what));
}

function checkClients(clients: Clients, resources: readonly string[]): FieldFault[] {
  const ids = clients.map(({ clientId }) => clientId);
  return clients.flatMap((given, index) => {
    const field = `clients.${index}`;
    const { claims = {}, audience } = given;
    const faults = [
      ...repeated(ids, index, `${field}.clientId`),
      ...checkAccessClaims(claims, `${field}.claims`),
    ];
    if (audience !== undefined && !resources.includes(audience)) {
      const got = gotValue('audience', audience);
      faults.push(fault(`${field}.audience`, `must be one of resources${got}`));
    }
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
  return [fault(field, `must be unique${got}, which entry ${first + 1} has as well`)];
}

function fault(field: string, what: string): FieldFault {
  return { field, message: `${field} ${what}.` };
}
