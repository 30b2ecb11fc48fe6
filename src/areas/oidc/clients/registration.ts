/** Registration of clients (RFC 7591) and their management (RFC 7592). */

import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { parseAuthorization } from '../../../http/credentials/parse-authorization.js';
import { realm } from '../../../http/credentials/realm.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/header-values.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { type Issuer, issuerOf } from '../issuer.js';
import { noStore, oauthError } from '../oauth-error.js';
import { keyOf, randomText } from '../random-text.js';
import { seconds } from '../token/sign-tokens.js';
import { certificateHost } from './certificate-alias.js';
import type { Client } from './client.js';
import { type ClientMetadata, clientFrom, knownMetadata } from './client-metadata.js';
import { type RegisteredClient, registeredClients } from './find-client.js';

interface Managed {
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
  readonly client: RegisteredClient;
  readonly token: string;
}

export function registrationHandlers(services: Services) {
  async function managed(request: Request, clientId: string): Promise<Managed> {
    const sandbox = services.sandboxOf(request);
    const client = await sandbox.read(registeredClients, clientId);
    const { scheme, credentials: token } = parseAuthorization(
      singleHeader(request, 'authorization') ?? '',
    );
    if (
      client === undefined ||
      scheme !== 'bearer' ||
      !isSameSecret(keyOf(token), client.managedBy)
    ) {
      // RFC 7592 section 2.1: the same for a client that is gone.
      throw unauthorized(
        'Send the registration_access_token of this client, as Authorization: Bearer.',
        `Bearer realm=${quoted(realm)}, error="invalid_token"`,
      );
    }
    return { sandbox, issuer: issuerOf(services, request), client, token };
  }

  /** What discovery does not declare cannot be registered. */
  function checkDeclared(request: Request, metadata: ClientMetadata, { url }: Issuer): void {
    const isAsked =
      metadata.token_endpoint_auth_method === 'tls_client_auth' ||
      metadata.tls_client_certificate_bound_access_tokens === true;
    if (!isAsked || certificateHost(request, services.certificates, url) !== undefined) return;
    throw oauthError(
      'invalid_client_metadata',
      'Nobody is asked for certificates at this issuer. Register at one that has its own TLS, such as https://mtls.localhost:8443/oidc where --tls-port is 8443.',
    );
  }

  return {
    async register(request: Request, reply: Reply, metadata: ClientMetadata) {
      reply.headers(noStore);
      const sandbox = services.sandboxOf(request);
      const issuer = issuerOf(services, request);
      checkDeclared(request, metadata, issuer);
      const clientId = randomText('ocl').slice(0, 26);
      const token = randomText('ort');
      const client = clientFrom(metadata, clientId, randomText('ocs'));
      const kept = await sandbox.update(registeredClients, clientId, (_none, nowMs) => {
        const value = {
          ...client,
          issuedAtMs: nowMs,
          managedBy: keyOf(token),
          metadata: knownMetadata(metadata),
        };
        return { value, result: value };
      });
      return reply.code(201).send(describe(kept, issuer, token));
    },

    async read(request: Request, reply: Reply, clientId: string) {
      const { client, issuer, token } = await managed(request, clientId);
      reply.headers(noStore);
      return describe(client, issuer, token);
    },

    async replace(request: Request, reply: Reply, clientId: string, metadata: ClientMetadata) {
      const { sandbox, client, issuer, token } = await managed(request, clientId);
      reply.headers(noStore);
      checkDeclared(request, metadata, issuer);
      const next: Client = clientFrom(metadata, clientId, client.secret ?? randomText('ocs'));
      const { issuedAtMs, managedBy } = client;
      const value = { ...next, issuedAtMs, managedBy, metadata: knownMetadata(metadata) };
      await sandbox.update(registeredClients, clientId, () => ({ value, result: undefined }));
      return describe(value, issuer, token);
    },

    async remove(request: Request, reply: Reply, clientId: string) {
      const { sandbox } = await managed(request, clientId);
      const nothing = () => ({ value: undefined, result: undefined });
      await sandbox.update(registeredClients, clientId, nothing);
      return reply.code(204).send(null);
    },
  };
}

/** RFC 7591 section 3.2.1: all that is known of it, what was not sent too. */
function describe(client: RegisteredClient, issuer: Issuer, token: string) {
  const { metadata, secret, clientId, grantTypes, authMethods } = client;
  const usesCode = grantTypes.includes('authorization_code');
  return {
    client_id: clientId,
    client_id_issued_at: seconds(client.issuedAtMs),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: `${issuer.at('register')}/${clientId}`,
    ...metadata,
    redirect_uris: [...client.redirectUris],
    grant_types: [...grantTypes],
    response_types: usesCode ? (['code'] as 'code'[]) : [],
    token_endpoint_auth_method: authMethods[0] ?? 'none',
    id_token_signed_response_alg: client.idTokenAlg,
    access_token_format: client.accessToken,
  };
}
