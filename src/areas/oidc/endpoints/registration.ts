/** Registration of clients (RFC 7591) and their management (RFC 7592). */

import { Type } from 'typebox';
import { unixSeconds } from '#base/whole-seconds.js';
import { quoted, realm, unauthorized } from '#http/credentials/challenge.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import { keyOf, randomText } from '#http/credentials/secret-text.js';
import { singleHeader } from '#http/headers/header-values.js';
import { noStore, OAuthError } from '#http/oauth/oauth-error.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import {
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthErrorSchema,
} from '#kit/describe/oauth-schemas.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { publishEvent } from '#state/events/publish-event.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import { type Exchange, issuerEndpoint } from '../exchange.js';
import { certificateHost } from '../messages/certificate-alias.js';
import { optionalText, text } from '../messages/schemas.js';
import {
  type ClientMetadata,
  clientFrom,
  knownMetadata,
  metadataSchema,
} from '../model/client-metadata.js';
import { type RegisteredClient, registeredClients } from '../model/find-client.js';
import { issuerEvent } from '../model/issuer-events.js';

const registeredSchema = Type.Object(
  {
    ...metadataSchema.properties,
    client_id: text,
    client_id_issued_at: Type.Integer({ description: 'Unix time.' }),
    client_secret: optionalText,
    client_secret_expires_at: Type.Optional(Type.Integer()),
    registration_access_token: text,
    registration_client_uri: text,
    jwks: Type.Optional(Type.Unsafe({ type: 'object', additionalProperties: true })),
  },
  { title: 'RegisteredClient' },
);

const registering = {
  body: metadataSchema,
  validation: 'reported' as const,
  responses: { 400: oauthErrorSchema, ...failures(413, 415) },
};
const managing = { security: [{ oidcRegistration: [] }], params: { clientId: text } };

export const registrationEndpoints = [
  issuerEndpoint('POST', 'register', {
    ...registering,
    summary: 'Register a client',
    description: 'RFC 7591, open to all: at most 100 in a sandbox. The server fetches no URLs.',
    responses: { 201: registeredSchema, ...registering.responses, 409: errorSchema },
    responseHeaders: { 201: noStoreHeaders, 400: maybeNoStoreHeaders, 409: noStoreHeaders },
    async handle(at) {
      const metadata = readMetadata(at);
      at.reply.headers(noStore);
      checkDeclared(at, metadata);
      const clientId = randomText('ocl').slice(0, 26);
      const token = randomText('ort');
      const identity = { clientId, secret: randomText('ocs') };
      const client = clientFrom(metadata, { ...identity, isInOwnSandbox: isOwn(at.sandbox) });
      const kept = await at.sandbox.transact((view) => {
        const { nowMs: issuedAtMs } = view;
        const managedBy = keyOf(token);
        const value = { ...client, issuedAtMs, managedBy, metadata: knownMetadata(metadata) };
        view.write(registeredClients, clientId, value);
        publishEvent(view, issuerEvent('client.registered', clientId, { client_id: clientId }));
        return value;
      });
      return at.reply.code(201).send(describe(kept, at, token));
    },
  }),
  issuerEndpoint('GET', 'registered', {
    ...managing,
    summary: 'Get a registered client',
    responses: { 200: registeredSchema, 401: errorSchema },
    responseHeaders: { 200: noStoreHeaders, 401: challenge },
    async handle(at) {
      const { client, token } = await managed(at);
      at.reply.headers(noStore);
      return describe(client, at, token);
    },
  }),
  issuerEndpoint('PUT', 'registered', {
    ...registering,
    ...managing,
    summary: 'Replace the metadata of a client',
    description: 'RFC 7592. The client id and the secret do not change.',
    responses: { 200: registeredSchema, ...registering.responses, 401: errorSchema },
    responseHeaders: { 200: noStoreHeaders, 400: maybeNoStoreHeaders, 401: challenge },
    async handle(at) {
      const metadata = readMetadata(at);
      const { client, token } = await managed(at);
      at.reply.headers(noStore);
      checkDeclared(at, metadata);
      const { clientId, secret, issuedAtMs, managedBy } = client;
      const identity = { clientId, secret: secret ?? randomText('ocs') };
      const next = clientFrom(metadata, { ...identity, isInOwnSandbox: isOwn(at.sandbox) });
      const value = { ...next, issuedAtMs, managedBy, metadata: knownMetadata(metadata) };
      await at.sandbox.update(registeredClients, clientId, () => ({ value, result: undefined }));
      return describe(value, at, token);
    },
  }),
  issuerEndpoint('DELETE', 'registered', {
    ...managing,
    summary: 'Delete a registered client',
    responses: { 204: Type.Null({ description: 'The client was deleted.' }), 401: errorSchema },
    responseHeaders: { 401: challenge },
    async handle(at) {
      const { client } = await managed(at);
      const nothing = () => ({ value: undefined, result: undefined });
      await at.sandbox.update(registeredClients, client.clientId, nothing);
      return at.reply.code(204).send(null);
    },
  }),
];

function isOwn({ name }: Sandbox): boolean {
  return name !== sharedSandboxName;
}

/** Errors of metadata have special codes (RFC 7591 section 3.2.2). */
function readMetadata({ request: { body, inputFaults } }: Exchange): ClientMetadata {
  if (inputFaults === undefined) return body as ClientMetadata;
  const faults = describeFaults(inputFaults.faults, 'body');
  const code = faults.some(({ field }) => field.startsWith('redirect_uris'))
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata';
  throw new OAuthError(code, faults.map(({ message }) => message).join(' '));
}

/** Rejects metadata that discovery does not declare. */
function checkDeclared({ request, services, issuer }: Exchange, metadata: ClientMetadata): void {
  const isAsked =
    metadata.token_endpoint_auth_method === 'tls_client_auth' ||
    metadata.tls_client_certificate_bound_access_tokens === true;
  if (!isAsked || certificateHost(request, services.certificates, issuer.url) !== undefined) return;
  throw new OAuthError(
    'invalid_client_metadata',
    'This issuer does not request client certificates. Register at an issuer that does, such as https://mtls.localhost:8443/oidc where --tls-port is 8443.',
  );
}

async function managed({ request, sandbox }: Exchange) {
  const { clientId } = request.params as { readonly clientId: string };
  const client = await sandbox.read(registeredClients, clientId);
  const header = singleHeader(request, 'authorization') ?? '';
  const { scheme, credentials: token } = parseAuthorization(header);
  const isRight = client !== undefined && isSameSecret(keyOf(token), client.managedBy);
  if (scheme === 'bearer' && isRight) return { client, token };
  // RFC 7592 section 2.1: the same response for a deleted client.
  throw unauthorized(
    'Send the registration_access_token of this client, as Authorization: Bearer.',
    `Bearer realm=${quoted(realm)}, error="invalid_token"`,
  );
}

/** RFC 7591 section 3.2.1: returns all metadata of a client, including defaults. */
function describe(client: RegisteredClient, { issuer }: Exchange, token: string) {
  const { metadata, secret, clientId, grantTypes, authMethods } = client;
  return {
    client_id: clientId,
    client_id_issued_at: unixSeconds(client.issuedAtMs),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: `${issuer.at('register')}/${clientId}`,
    ...metadata,
    redirect_uris: client.redirectUris,
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: authMethods[0] ?? 'none',
    id_token_signed_response_alg: client.idTokenAlg,
    access_token_format: client.accessToken,
  };
}
