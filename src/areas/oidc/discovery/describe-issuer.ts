/** What the issuer says of itself: OpenID Connect Discovery section 3, RFC 8414 section 2. Nothing that it does not do. */

import { promptValues, responseModes } from '../authorize/authorization-request.js';
import { acrValues } from '../authorize/session.js';
import { authMethods, grantTypes } from '../clients/client.js';
import { keyAlgorithms, secretAlgorithms } from '../clients/client-jwt.js';
import { proofAlgorithms } from '../dpop/read-proof.js';
import type { Issuer } from '../issuer.js';
import { signingAlgorithms } from '../keys/key-ring.js';
import { knownScopes } from '../scopes.js';
import { claimNames } from '../users/claims-of.js';

const assertionAlgorithms = [...secretAlgorithms, ...keyAlgorithms];
const confidential = authMethods.filter((method) => method !== 'none');

export function describeIssuer(issuer: Issuer) {
  return {
    issuer: issuer.url,
    authorization_endpoint: issuer.at('authorize'),
    token_endpoint: issuer.at('token'),
    userinfo_endpoint: issuer.at('userinfo'),
    jwks_uri: issuer.at('keys'),
    device_authorization_endpoint: issuer.at('deviceAuthorization'),
    registration_endpoint: issuer.at('register'),
    revocation_endpoint: issuer.at('revoke'),
    introspection_endpoint: issuer.at('introspect'),
    end_session_endpoint: issuer.at('logout'),
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    scopes_supported: [...knownScopes],
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    grant_types_supported: [...grantTypes],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...signingAlgorithms],
    userinfo_signing_alg_values_supported: [...signingAlgorithms],
    token_endpoint_auth_methods_supported: [...authMethods],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: [...authMethods],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: confidential,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...promptValues],
    acr_values_supported: [...acrValues],
    claim_types_supported: ['normal'],
    claims_supported: ['sub', 'auth_time', 'acr', 'amr', ...claimNames],
    claims_parameter_supported: true,
    // Left out, this one would be true.
    request_uri_parameter_supported: false,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: assertionAlgorithms,
    pushed_authorization_request_endpoint: issuer.at('par'),
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    authorization_response_iss_parameter_supported: true,
  };
}
