/** The token endpoint: RFC 6749 section 3.2, OpenID Connect Core section 3.1.3. */

import { Type } from 'typebox';
import { unixSeconds } from '#base/whole-seconds.js';
import { randomText } from '#http/credentials/secret-text.js';
import { type Form, needed } from '#http/oauth/form.js';
import { invalidRequest, noStore, OAuthError } from '#http/oauth/oauth-error.js';
import { oauthRejections } from '#kit/describe/oauth-schemas.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import { certificateThumbprint } from '../clients/client-certificate.js';
import { unverifiedClaim } from '../clients/client-jwt.js';
import { provedKey } from '../clients/dpop.js';
import { type Exchange, formOf, issuerEndpoint } from '../exchange.js';
import { clientForm, forClients, optionalTexts, provedHeaders, text } from '../messages/schemas.js';
import {
  type Client,
  deviceGrant,
  exchangeGrant,
  type GrantType,
  grantTypes,
  jwtBearerGrant,
} from '../model/client.js';
import { findClient } from '../model/find-client.js';
import { type Confirmation, tokenTypeOf } from '../model/grants.js';
import type { Signing } from '../model/issuer-keys.js';
import { offersOf, readTargets } from '../model/scopes.js';
import { findUser } from '../model/users.js';
import { redeemAssertion, redeemCredentials, redeemExchange } from './client-grants.js';
import type { Issued, Redeemer } from './issue.js';
import { writeAccessToken, writeIdToken } from './sign-tokens.js';
import { afterTokens, beforeTokens } from './token-steps.js';
import { redeemCode, redeemDeviceCode, redeemRefresh } from './user-grants.js';

export const grantTokens = issuerEndpoint('POST', 'token', {
  summary: 'Exchange a code, a refresh token or another token',
  description:
    'The discovery document lists the grant types. A DPoP proof binds the tokens to its key (RFC 9449).',
  security: forClients.security,
  bodies: clientForm({
    grant_type: text,
    ...optionalTexts('code', 'redirect_uri', 'code_verifier', 'refresh_token', 'device_code'),
    ...optionalTexts('assertion', 'subject_token', 'subject_token_type', 'actor_token'),
    ...optionalTexts('actor_token_type', 'requested_token_type', 'resource', 'audience', 'scope'),
  }),
  responses: {
    200: Type.Object({
      access_token: text,
      token_type: Type.String({ description: 'Bearer, or DPoP.' }),
      expires_in: Type.Integer({ description: 'In seconds.' }),
      scope: text,
      ...optionalTexts('refresh_token', 'issued_token_type'),
      id_token: Type.Optional(
        Type.String({
          description: 'Claims of scopes are in userinfo, and with claimsInIdToken also here.',
        }),
      ),
    }),
    ...oauthRejections,
  },
  responseHeaders: provedHeaders,
  async handle(at) {
    at.reply.headers(noStore);
    const form = await formOf(at);
    const before = await beforeTokens(at, form);
    if (before.failed !== undefined) return before.failed;
    const client = (await clientOfAssertion(at, form)) ?? (await authenticateClient(at, form));
    const redeemer = redeemers[readGrantType(form, client)];
    const offers = await offersOf(at, client);
    const targets = readTargets(form, offers);
    const cnf = await proveBinding(at, client);
    const { requested } = before;
    const redeem = await redeemer({ ...at, form, client, offers, cnf, requested });
    const [grantId, access, refresh] = [randomText('ogr'), randomText('oat'), randomText('ort')];
    const { audience } = client;
    const usualTargets = audience === undefined ? undefined : [audience];
    const fresh = { grantId, access, refresh, cnf, targets, usualTargets };
    const issued = await at.sandbox.transact((view) => redeem(view, fresh));
    if (issued instanceof OAuthError) throw issued;
    return afterTokens(at, before.early, issued, client, await writeResponse(at, client, issued));
  },
});

async function writeResponse(signing: Signing, client: Client, issued: Issued) {
  const { grant, record, refresh, issuedTokenType } = issued;
  const accessToken = await writeAccessToken(signing, client, issued);
  const user = await findUser(signing.sandbox, grant.sub);
  // Without a login of a user, there is nothing for an ID token to describe.
  const hasLogin = grant.authTimeMs !== undefined && issuedTokenType === undefined;
  const hasIdToken = hasLogin && record.scope.split(' ').includes('openid') && user !== undefined;
  return {
    access_token: accessToken,
    token_type: tokenTypeOf(record),
    expires_in: unixSeconds(record.expiresAtMs - record.issuedAtMs),
    scope: record.scope,
    issued_token_type: issuedTokenType,
    refresh_token: refresh,
    id_token: hasIdToken
      ? await writeIdToken(signing, client, issued, user, accessToken)
      : undefined,
  };
}

const clientFields = ['client_id', 'client_secret', 'client_assertion'];

/** An assertion is sufficient to identify the client (RFC 7521 section 4.1); its signature is verified later. */
async function clientOfAssertion({ request, sandbox }: Exchange, form: Form) {
  const isAssertion = form.get('grant_type') === jwtBearerGrant;
  if (!isAssertion || request.headers.authorization !== undefined) return undefined;
  if (clientFields.some((name) => form.has(name))) return undefined;
  const clientId = await unverifiedClaim(form.get('assertion') ?? '', 'iss');
  return clientId === undefined ? undefined : findClient(sandbox, clientId);
}

function readGrantType(form: Form, client: Client): GrantType {
  const requested = needed(form, 'grant_type');
  const grantType = grantTypes.find((known) => known === requested);
  if (grantType === undefined) {
    const known = grantTypes.join(', ');
    throw new OAuthError('unsupported_grant_type', `The grant_type must be one of ${known}.`);
  }
  if (client.grantTypes.includes(grantType)) return grantType;
  const own = client.grantTypes.join(', ') || 'none';
  throw new OAuthError('unauthorized_client', `This client may use only these grants: ${own}.`);
}

const redeemers: Readonly<Record<GrantType, Redeemer>> = {
  authorization_code: redeemCode,
  refresh_token: redeemRefresh,
  client_credentials: redeemCredentials,
  [deviceGrant]: redeemDeviceCode,
  [exchangeGrant]: redeemExchange,
  [jwtBearerGrant]: redeemAssertion,
};

/** Verifies the proof to bind tokens to: RFC 9449 section 5.2, RFC 8705 section 3.4. */
async function proveBinding(at: Exchange, client: Client): Promise<Confirmation | undefined> {
  const proved = await provedKey(at, 'token');
  if (proved === undefined && client.isDpopBound) {
    const message = 'This client registered dpop_bound_access_tokens: send a DPoP proof.';
    throw new OAuthError('invalid_dpop_proof', message);
  }
  if (!client.isCertificateBound) return proved;
  const thumbprint = certificateThumbprint(at.request);
  if (thumbprint !== undefined) return { ...proved, 'x5t#S256': thumbprint };
  throw invalidRequest(
    'This client registered tls_client_certificate_bound_access_tokens: send its certificate.',
  );
}
