/** The discovery document: OpenID Connect Discovery section 3, RFC 8414 section 2. */

import { Type } from 'typebox';
import { rejectOtherSpelling } from '#http/address/exact-url.js';
import type { Reply } from '#http/exchange.js';
import { failures } from '#http/schemas/error-schema.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { promptValues } from '../authorize/authorization-request.js';
import { keyAlgorithms, secretAlgorithms } from '../clients/client-jwt.js';
import { proofAlgorithms } from '../clients/dpop.js';
import { type Exchange, issuerEndpoint } from '../exchange.js';
import { aliasPath, certificateHost } from '../messages/certificate-alias.js';
import { Issuer } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { responseModes } from '../messages/respond-to-client.js';
import { openObject, text, texts } from '../messages/schemas.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { changed } from '../misbehaviour/misbehaviours.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { authMethods, grantTypes } from '../model/client.js';
import { settingsOf } from '../model/issuer-settings.js';
import { publishedKeys, signingAlgorithms } from '../model/key-ring.js';
import { isResourceUri, type Offers, offersOf } from '../model/scopes.js';
import { acrValues } from '../model/session.js';
import { claimNames } from '../model/users.js';
import { countFetch } from './count-fetches.js';

const spec = {
  description: 'OpenID Connect Discovery. Each sandbox is a separate issuer, below /s/{sandbox}.',
  before: rejectOtherSpelling,
  responses: {
    ...failures(404),
    /** The members of every discovery document; there are more. */
    200: openObject('Issuer', {
      issuer: text,
      authorization_endpoint: text,
      token_endpoint: text,
      jwks_uri: text,
      response_types_supported: texts,
    }),
  },
  handle: discover,
};

export const discoveryEndpoints = [
  issuerEndpoint('GET', 'discovery', {
    ...spec,
    summary: 'Describe the issuer and its endpoints',
  }),
  issuerEndpoint('GET', 'metadata', {
    ...spec,
    summary: 'Describe the issuer at the URL of RFC 8414',
  }),
];

const assertionAlgorithms = [...secretAlgorithms, ...keyAlgorithms];

const aliased = {
  token_endpoint: 'token',
  userinfo_endpoint: 'userinfo',
  device_authorization_endpoint: 'deviceAuthorization',
  revocation_endpoint: 'revoke',
  introspection_endpoint: 'introspect',
  pushed_authorization_request_endpoint: 'par',
} as const;

async function discover(at: Exchange) {
  const { request, reply, services, sandbox, issuer } = at;
  await countFetch(request, 'discovery');
  allowCaching(reply, (await settingsOf(sandbox)).discoveryMaxAge);
  const misbehaviour = await misbehaviourAt(sandbox, requestedMisbehaviour(request));
  await noteEvent(at, misbehaviour, 'discovered');
  const asking = certificateHost(request, services.certificates, issuer.url);
  const described = describeIssuer(issuer, await offersOf(at), asking);
  return changed(misbehaviour, 'discovery', described);
}

/** The headers select the sandbox, too, so shared caches must tell sandboxes apart. */
function allowCaching(reply: Reply, maxAge: number | undefined): void {
  if (maxAge === undefined) return;
  reply.header('cache-control', `public, max-age=${maxAge}`);
  reply.header('vary', 'X-Sandbox, X-Service-Key');
}

/** `asking` is the host that requests client certificates, if there is one. */
function describeIssuer(issuer: Issuer, { scopes, targets }: Offers, asking: string | undefined) {
  const known = authMethods.filter((each) => asking !== undefined || each !== 'tls_client_auth');
  const confidential = known.filter((each) => each !== 'none');
  return {
    ...(asking !== undefined && {
      tls_client_certificate_bound_access_tokens: true,
      ...aliasesAt(asking, issuer),
    }),
    issuer: issuer.url,
    authorization_endpoint: issuer.at('authorize'),
    token_endpoint: issuer.at('token'),
    userinfo_endpoint: issuer.at('userinfo'),
    jwks_uri: issuer.at('keys'),
    device_authorization_endpoint: issuer.at('deviceAuthorization'),
    registration_endpoint: issuer.at('register'),
    client_id_metadata_document_supported: true,
    revocation_endpoint: issuer.at('revoke'),
    introspection_endpoint: issuer.at('introspect'),
    end_session_endpoint: issuer.at('logout'),
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    scopes_supported: scopes,
    protected_resources: targets.filter(isResourceUri),
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: grantTypes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    introspection_signing_alg_values_supported: signingAlgorithms,
    userinfo_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: known,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: known,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: confidential,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    dpop_signing_alg_values_supported: proofAlgorithms,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: promptValues,
    acr_values_supported: acrValues,
    claim_types_supported: ['normal'],
    claims_supported: ['sub', 'auth_time', 'acr', 'amr', ...claimNames],
    claims_parameter_supported: true,
    // The default would be true.
    request_uri_parameter_supported: false,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: assertionAlgorithms,
    pushed_authorization_request_endpoint: issuer.at('par'),
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    authorization_response_iss_parameter_supported: true,
  };
}

/** Returns no aliases if the endpoints are already on that host. */
function aliasesAt(asking: string, issuer: Issuer) {
  const { host, pathname } = new URL(issuer.url);
  if (host === asking) return {};
  const base = `https://${asking}${pathname.slice(0, -paths.issuer.length)}${aliasPath(host)}`;
  const alias = new Issuer(base);
  const addresses = Object.entries(aliased).map(([name, part]) => [name, alias.at(part)]);
  return { mtls_endpoint_aliases: Object.fromEntries(addresses) };
}

const jwksSchema = Type.Object({
  keys: Type.Array(openObject('JsonWebKey', { kty: text, kid: text, alg: text, use: text })),
});

export const keyEndpoints = [
  issuerEndpoint('GET', 'keys', {
    summary: 'Get the keys that tokens are signed with',
    description: 'A replaced key remains until everything it signed has expired.',
    responses: { 200: jwksSchema },
    async handle({ request, reply, sandbox, keys }) {
      await countFetch(request, 'jwks');
      allowCaching(reply, (await settingsOf(sandbox)).jwksMaxAge);
      const ring = await keys.ringOf(sandbox);
      const misbehaviour = await misbehaviourAt(sandbox, requestedMisbehaviour(request));
      const published = publishedKeys(ring, await sandbox.now());
      return { keys: await changed(misbehaviour, 'jwks', published) };
    },
  }),
  issuerEndpoint('POST', 'rotate', {
    summary: 'Create a new key for every algorithm',
    description: 'Of simultaneous rotations, only one succeeds.',
    responses: { 200: jwksSchema, ...failures(403, 409) },
    async handle({ request, keys }) {
      const sandbox = ownSandbox(request, 'Rotated keys need');
      const ring = await keys.rotate(sandbox);
      return { keys: publishedKeys(ring, await sandbox.now()) };
    },
  }),
];
