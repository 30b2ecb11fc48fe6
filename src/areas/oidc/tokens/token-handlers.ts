/** What can be done with tokens: userinfo, introspection (RFC 7662, signed by RFC 9701), revocation (RFC 7009). */

import { negotiateType } from '../../../http/codings/negotiate-type.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { mediaType } from '../../../http/request-body.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import { type Client, isPublic } from '../clients/client.js';
import { findClient } from '../clients/find-client.js';
import type { Proofs } from '../dpop/proofs.js';
import { type Issuer, issuerOf } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { askedConduct, conductOf } from '../misbehaviour/conduct.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { spoilUserinfo } from '../misbehaviour/spoil-userinfo.js';
import { noStore, oauthError } from '../oauth-error.js';
import { keyOf } from '../random-text.js';
import { formParameters, needed } from '../read-parameters.js';
import { accessTokens, grants, refreshTokens, tokenTypeOf } from '../token/grants.js';
import { type Signing, seconds } from '../token/sign-tokens.js';
import { claimsOf } from '../users/claims-of.js';
import { findUser } from '../users/find-user.js';
import { demandAccess } from './bearer.js';
import { findAccess } from './find-access.js';

/** RFC 9701 section 4. */
const introspectionType = 'application/token-introspection+jwt';

export function tokenHandlers(services: Services, keys: IssuerKeys, proofs: Proofs) {
  const signingOf = (request: Request): Signing => ({
    keys,
    sandbox: services.sandboxOf(request),
    issuer: issuerOf(services, request),
  });

  async function clientOf(request: Request, reply: Reply, signing: Signing) {
    reply.headers(noStore);
    const form = await formParameters(request);
    const at = { ...signing, certificates: services.certificates };
    return { form, client: await authenticateClient(request, form, at) };
  }

  return {
    async userinfo(request: Request, reply: Reply) {
      const signing = signingOf(request);
      const token = await tokenInForm(request);
      const { record, grant } = await demandAccess(request, reply, signing, {
        scope: 'openid',
        at: 'userinfo',
        proofs,
        token,
      });
      const user = await findUser(signing.sandbox, record.sub);
      const { sandbox } = signing;
      const conduct = await conductOf(sandbox, askedConduct(request), grant.conduct);
      await noteEvent(sandbox, conduct, 'asked');
      const claims = spoilUserinfo(conduct?.misbehaviour, {
        sub: record.sub,
        ...(user && claimsOf(user, record.scope.split(' '), grant.userinfoClaims)),
      });
      const client = await findClient(signing.sandbox, record.clientId);
      if (client?.userinfoAlg === undefined) return claims;
      const jwt = await keys.sign(
        signing.sandbox,
        { ...claims, iss: signing.issuer.url, aud: client.clientId },
        { alg: client.userinfoAlg },
      );
      return reply.type('application/jwt').serializer(String).send(jwt);
    },

    async introspect(request: Request, reply: Reply) {
      const signing = signingOf(request);
      const { form, client } = await clientOf(request, reply, signing);
      if (isPublic(client)) {
        const message = 'A public client may not introspect: it could not keep what it learns.';
        throw oauthError('invalid_client', message);
      }
      const described = await describeToken(signing, needed(form, 'token'));
      const offers = [{ types: ['application/json'] }, { types: [introspectionType] }];
      const chosen = negotiateType(request.headers.accept, offers);
      if (chosen?.mediaType !== introspectionType) return described;
      const jwt = await keys.sign(
        signing.sandbox,
        {
          iss: signing.issuer.url,
          aud: client.clientId,
          iat: seconds(await signing.sandbox.now()),
          token_introspection: described,
        },
        { alg: client.introspectionAlg ?? 'RS256', typ: 'token-introspection+jwt' },
      );
      return reply.type(introspectionType).serializer(String).send(jwt);
    },

    async revoke(request: Request, reply: Reply) {
      const signing = signingOf(request);
      const { form, client } = await clientOf(request, reply, signing);
      await revoke(signing, client, needed(form, 'token'));
      return {};
    },
  };
}

/** RFC 6750 section 2.2. */
async function tokenInForm(request: Request): Promise<string | undefined> {
  const type = mediaType(request.headers['content-type']);
  if (request.method !== 'POST' || type !== 'application/x-www-form-urlencoded') return undefined;
  return (await formParameters(request)).get('access_token');
}

async function describeToken(signing: Signing, token: string) {
  const { sandbox, issuer } = signing;
  const found = await findAccess(signing, token);
  if (typeof found === 'string') return describeRefresh(sandbox, issuer, token);
  const { record, grant } = found;
  const issuedAt = seconds(record.issuedAtMs);
  return {
    active: true,
    scope: record.scope,
    client_id: record.clientId,
    ...(grant.isOfUser && { username: record.sub }),
    token_type: tokenTypeOf(record),
    ...(record.cnf !== undefined && { cnf: record.cnf }),
    ...(record.act !== undefined && { act: record.act }),
    exp: seconds(record.expiresAtMs),
    iat: issuedAt,
    nbf: issuedAt,
    sub: record.sub,
    aud: record.targets?.join(' ') ?? issuer.resource,
    iss: issuer.url,
  } as const;
}

async function describeRefresh(sandbox: Sandbox, issuer: Issuer, token: string) {
  const record = await sandbox.read(refreshTokens, keyOf(token));
  const grant = record && (await sandbox.read(grants, record.grantId));
  if (record === undefined || record.isUsed || grant === undefined) return { active: false };
  return {
    active: true,
    scope: grant.scopes.join(' '),
    client_id: record.clientId,
    username: grant.sub,
    exp: seconds(record.expiresAtMs),
    iat: seconds(record.issuedAtMs),
    sub: grant.sub,
    iss: issuer.url,
  };
}

/** An access token alone, or with a refresh token all that came of its login. */
async function revoke(signing: Signing, client: Client, token: string): Promise<void> {
  const { sandbox } = signing;
  const refresh = await sandbox.read(refreshTokens, keyOf(token));
  if (refresh !== undefined) {
    if (refresh.clientId !== client.clientId) throw foreignToken();
    await sandbox.update(grants, refresh.grantId, () => ({ value: undefined, result: undefined }));
    return;
  }
  const found = await findAccess(signing, token);
  if (typeof found === 'string') return;
  if (found.record.clientId !== client.clientId) throw foreignToken();
  await sandbox.update(accessTokens, found.key, () => ({ value: undefined, result: undefined }));
}

function foreignToken() {
  return oauthError('invalid_grant', 'The token was given to another client.');
}
