/** The token endpoint: RFC 6749 section 3.2, OpenID Connect Core section 3.1.3. */

import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { jsonContentType } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import {
  type Client,
  deviceGrant,
  exchangeGrant,
  type GrantType,
  grantTypes,
  isPublic,
  jwtBearerGrant,
} from '../clients/client.js';
import { certificateThumbprint } from '../clients/client-certificate.js';
import { unverifiedClaim } from '../clients/client-jwt.js';
import { findClient } from '../clients/find-client.js';
import type { Proofs } from '../dpop/proofs.js';
import { issuerOf } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { askedConduct, conductOf } from '../misbehaviour/conduct.js';
import type { RunEvent } from '../misbehaviour/misbehaviours.js';
import { obstruct } from '../misbehaviour/obstruct.js';
import { unknownMembers } from '../misbehaviour/others.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { canSpoil } from '../misbehaviour/spoil-id-token.js';
import { noStore, oauthError } from '../oauth-error.js';
import { randomText } from '../random-text.js';
import { formParameters, needed } from '../read-parameters.js';
import { askedTargets, targetFault } from '../resource/targets.js';
import { serviceScopes } from '../scopes.js';
import { settingsOf } from '../settings/issuer-settings.js';
import { findUser } from '../users/find-user.js';
import { type Confirmation, tokenTypeOf } from './grants.js';
import { type FreshTexts, type Issued, issueAccess, redeemCode, redeemRefresh } from './redeem.js';
import { redeemDeviceCode } from './redeemers/device-code.js';
import { redeemAssertion } from './redeemers/jwt-bearer.js';
import type { Redeem, Redeemer } from './redeemers/redeemer.js';
import { redeemExchange } from './redeemers/token-exchange.js';
import { type Signing, seconds, writeAccessToken, writeIdToken } from './sign-tokens.js';

export class TokenEndpoint {
  readonly #services: Services;
  readonly #keys: IssuerKeys;
  readonly #proofs: Proofs;

  constructor(services: Services, keys: IssuerKeys, proofs: Proofs) {
    this.#services = services;
    this.#keys = keys;
    this.#proofs = proofs;
  }

  async grant(request: Request, reply: Reply) {
    reply.headers(noStore);
    const form = await formParameters(request);
    const sandbox = this.#services.sandboxOf(request);
    const issuer = issuerOf(this.#services, request);
    const asked = askedConduct(request, form);
    const early = await conductOf(sandbox, asked);
    await noteEvent(sandbox, early, eventOf(form));
    const failed = await obstruct(early, this.#services, request, reply);
    if (failed !== undefined) return failed;
    const client =
      (await clientOfAssertion(request, form, sandbox)) ??
      (await authenticateClient(request, form, {
        sandbox,
        issuer,
        certificates: this.#services.certificates,
      }));
    const grantType = readGrantType(form, client);
    const fault = targetFault(form, issuer);
    if (fault !== undefined) throw oauthError('invalid_target', fault);
    const proved = await this.#proofs.atEndpoint(request, reply, sandbox, issuer.reached('token'));
    const cnf = checkBinding(request, client, proved);
    const bounds = { cnf, targets: askedTargets(form) };
    const signing = { keys: this.#keys, sandbox, issuer };
    const step = await redeemers[grantType](form, client, { signing, cnf, asked });
    const issued = await redeem(sandbox, step, bounds);
    const nonce = grantType === 'refresh_token' ? undefined : issued.grant.nonce;
    const { conduct } = issued;
    if (conduct !== undefined && conduct.misbehaviour !== early?.misbehaviour) {
      const response = await obstruct(conduct, this.#services, request, reply);
      if (response !== undefined) return response;
    }
    const response = await writeResponse(signing, client, issued, nonce);
    if ('id_token' in response && canSpoil(conduct?.misbehaviour, nonce)) {
      await noteEvent(sandbox, conduct, 'granted');
    }
    if (conduct?.misbehaviour !== 'unknown-members') return response;
    // The schema would leave them out.
    return reply
      .type(jsonContentType)
      .serializer(JSON.stringify)
      .send({ ...unknownMembers, ...response });
  }
}

async function writeResponse(
  signing: Signing,
  client: Client,
  issued: Issued,
  nonce: string | undefined,
) {
  const accessToken = await writeAccessToken(signing, client, issued);
  const user = await findUser(signing.sandbox, issued.grant.sub);
  const { lifetimes } = await settingsOf(signing.sandbox);
  const { grant, scopes, expiresAtMs, issuedTokenType, nowMs } = issued;
  // Where nobody logged in, there is nothing to tell of it.
  const hasLogin = grant.authTimeMs !== undefined && issuedTokenType === undefined;
  const hasIdToken = hasLogin && scopes.includes('openid');
  return {
    access_token: accessToken,
    token_type: tokenTypeOf(issued),
    expires_in: expiresAtMs === undefined ? lifetimes.access : seconds(expiresAtMs - nowMs),
    scope: scopes.join(' '),
    ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
    ...(issued.refresh !== undefined && { refresh_token: issued.refresh }),
    ...(hasIdToken &&
      user !== undefined && {
        id_token: await writeIdToken(signing, client, issued, { user, accessToken, nonce }),
      }),
  } as const;
}

function eventOf(form: Form): RunEvent {
  return form.get('grant_type') === 'refresh_token' ? 'refreshed' : 'redeemed';
}

const clientFields = ['client_id', 'client_secret', 'client_assertion'];

/** A client that says nothing but its assertion is known by it (RFC 7521 section 4.1); its signature is verified later. */
async function clientOfAssertion(
  { headers }: Request,
  form: Form,
  sandbox: Sandbox,
): Promise<Client | undefined> {
  if (form.get('grant_type') !== jwtBearerGrant || headers.authorization !== undefined) return;
  if (clientFields.some((name) => form.has(name))) return;
  const clientId = await unverifiedClaim(form.get('assertion') ?? '', 'iss');
  return clientId === undefined ? undefined : findClient(sandbox, clientId);
}

function readGrantType(form: Form, client: Client): GrantType {
  const asked = needed(form, 'grant_type');
  const grantType = grantTypes.find((known) => known === asked);
  if (grantType === undefined) {
    const known = grantTypes.join(', ');
    throw oauthError('unsupported_grant_type', `The grant_type must be one of ${known}.`);
  }
  if (!client.grantTypes.includes(grantType)) {
    const own = client.grantTypes.join(', ') || 'none';
    throw oauthError('unauthorized_client', `This client may use these grants: ${own}.`);
  }
  return grantType;
}

const redeemers: Readonly<Record<GrantType, Redeemer>> = {
  [deviceGrant]: redeemDeviceCode,
  [exchangeGrant]: redeemExchange,
  [jwtBearerGrant]: redeemAssertion,
  authorization_code(form, client, { asked }) {
    const proof = {
      code: needed(form, 'code'),
      redirectUri: needed(form, 'redirect_uri'),
      verifier: form.get('code_verifier'),
      asked,
    };
    return (view, fresh) => redeemCode(view, client, proof, fresh);
  },
  refresh_token(form, client, { asked }) {
    const sent = { token: needed(form, 'refresh_token'), scope: form.get('scope'), asked };
    return (view, fresh) => redeemRefresh(view, client, sent, fresh);
  },
  client_credentials(form, client) {
    if (isPublic(client)) {
      throw oauthError('unauthorized_client', 'A public client has no credentials of its own.');
    }
    const grant = {
      clientId: client.clientId,
      sub: client.clientId,
      isOfUser: false,
      scopes: readServiceScopes(form.get('scope')),
    };
    return (view, fresh) => issueAccess(view, grant, fresh);
  },
};

function readServiceScopes(scope: string | undefined): readonly string[] {
  if (scope === undefined) return serviceScopes;
  const asked = [...new Set(scope.split(' '))];
  if (asked.every((each) => serviceScopes.some((known) => known === each))) return asked;
  throw oauthError(
    'invalid_scope',
    `The scope of a client by itself is of ${serviceScopes.join(', ')}, with one space between.`,
  );
}

/** RFC 9449 section 5.2, RFC 8705 section 3.4. */
function checkBinding(
  request: Request,
  client: Client,
  proved: Confirmation | undefined,
): Confirmation | undefined {
  if (proved === undefined && client.isDpopBound) {
    const message = 'This client registered dpop_bound_access_tokens: send a DPoP proof.';
    throw oauthError('invalid_dpop_proof', message);
  }
  if (!client.isCertificateBound) return proved;
  const thumbprint = certificateThumbprint(request);
  if (thumbprint !== undefined) return { ...proved, 'x5t#S256': thumbprint };
  throw oauthError(
    'invalid_request',
    'This client registered tls_client_certificate_bound_access_tokens: send its certificate.',
  );
}

async function redeem(
  sandbox: Sandbox,
  step: Redeem,
  bounds: Pick<FreshTexts, 'cnf' | 'targets'>,
): Promise<Issued> {
  const fresh = {
    grantId: randomText('ogr'),
    access: randomText('oat'),
    refresh: randomText('ort'),
    ...bounds,
  };
  const outcome = await sandbox.transact((view) => step(view, fresh));
  if ('message' in outcome) throw oauthError(outcome.code, outcome.message);
  return outcome;
}
