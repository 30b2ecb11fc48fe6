/** Uses of tokens: userinfo, introspection (RFC 7662, signed by RFC 9701), revocation (RFC 7009). */

import { unixSeconds } from '../../../base/whole-seconds.js';
import { mediaType } from '../../../http/body/request-body.js';
import { keyOf } from '../../../http/credentials/secret-text.js';
import { negotiateType } from '../../../http/negotiation/negotiate-type.js';
import { needed } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { type Client, isPublic } from '../clients/client.js';
import { findClient } from '../clients/find-client.js';
import { type Exchange, formOf, type Signing } from '../exchange.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { wrongUserinfo } from '../misbehaviour/wrong-responses.js';
import { accessTokens, grants, refreshTokens, tokenTypeOf } from '../token/grants.js';
import { claimsOf } from '../users/claims-of.js';
import { findUser } from '../users/find-user.js';
import { demandAccess } from './bearer.js';
import { findAccess } from './find-access.js';

/** RFC 9701 section 4. */
const introspectionType = 'application/token-introspection+jwt';

export async function showUserinfo(at: Exchange): Promise<object> {
  const { request, reply, sandbox, issuer, keys } = at;
  const token = await tokenInForm(at);
  const { record, grant } = await demandAccess(at, { scope: 'openid', path: 'userinfo', token });
  const user = await findUser(sandbox, record.sub);
  const requested = requestedMisbehaviour(request);
  const misbehaviour = await misbehaviourAt(sandbox, requested, grant.misbehaviour);
  await noteEvent(sandbox, misbehaviour, 'asked');
  const claims = wrongUserinfo(misbehaviour?.name, {
    sub: record.sub,
    ...(user && claimsOf(user, record.scope.split(' '), grant.userinfoClaims)),
  });
  const client = await findClient(sandbox, record.clientId);
  if (client?.userinfoAlg === undefined) return claims;
  const signed = { ...claims, iss: issuer.url, aud: client.clientId };
  const jwt = await keys.sign(sandbox, signed, { alg: client.userinfoAlg });
  return reply.type('application/jwt').serializer(String).send(jwt);
}

export async function introspect(at: Exchange): Promise<object> {
  const { request, reply, sandbox, issuer, keys } = at;
  const { form, client } = await readClientForm(at);
  if (isPublic(client)) {
    const message = 'A public client may not introspect: it could not keep what it learns.';
    throw new OAuthError('invalid_client', message);
  }
  const described = await describeToken(at, needed(form, 'token'));
  const offers = [{ types: ['application/json'] }, { types: [introspectionType] }];
  const chosen = negotiateType(request.headers.accept, offers);
  if (chosen?.mediaType !== introspectionType) return described;
  const claims = {
    iss: issuer.url,
    aud: client.clientId,
    iat: unixSeconds(await sandbox.now()),
    token_introspection: described,
  };
  const alg = client.introspectionAlg ?? 'RS256';
  const jwt = await keys.sign(sandbox, claims, { alg, typ: 'token-introspection+jwt' });
  return reply.type(introspectionType).serializer(String).send(jwt);
}

/** Revokes an access token only, or with a refresh token all that came of its login. */
export async function revoke(at: Exchange): Promise<object> {
  const { sandbox } = at;
  const { form, client } = await readClientForm(at);
  const token = needed(form, 'token');
  const nothing = () => ({ value: undefined, result: undefined });
  const refresh = await sandbox.read(refreshTokens, keyOf(token));
  if (refresh !== undefined) {
    checkOwner(refresh, client);
    await sandbox.update(grants, refresh.grantId, nothing);
    return {};
  }
  const found = await findAccess(at, token);
  if (typeof found === 'string') return {};
  checkOwner(found.record, client);
  await sandbox.update(accessTokens, found.key, nothing);
  return {};
}

/** RFC 6750 section 2.2. */
async function tokenInForm(at: Exchange): Promise<string | undefined> {
  const { method, headers } = at.request;
  const type = mediaType(headers['content-type']);
  if (method !== 'POST' || type !== 'application/x-www-form-urlencoded') return undefined;
  return (await formOf(at)).get('access_token');
}

async function describeToken(signing: Signing, token: string): Promise<object> {
  const { issuer } = signing;
  const found = await findAccess(signing, token);
  if (typeof found === 'string') return describeRefresh(signing, token);
  const { record, grant } = found;
  const issuedAt = unixSeconds(record.issuedAtMs);
  return {
    active: true,
    scope: record.scope,
    client_id: record.clientId,
    ...(grant.isOfUser && { username: record.sub }),
    token_type: tokenTypeOf(record),
    ...(record.cnf !== undefined && { cnf: record.cnf }),
    ...(record.act !== undefined && { act: record.act }),
    exp: unixSeconds(record.expiresAtMs),
    iat: issuedAt,
    nbf: issuedAt,
    sub: record.sub,
    aud: record.targets?.join(' ') ?? issuer.resource,
    iss: issuer.url,
  };
}

async function describeRefresh({ sandbox, issuer }: Signing, token: string): Promise<object> {
  const record = await sandbox.read(refreshTokens, keyOf(token));
  const grant = record && (await sandbox.read(grants, record.grantId));
  if (record === undefined || record.isUsed || grant === undefined) return { active: false };
  return {
    active: true,
    scope: grant.scopes.join(' '),
    client_id: record.clientId,
    username: grant.sub,
    exp: unixSeconds(record.expiresAtMs),
    iat: unixSeconds(record.issuedAtMs),
    sub: grant.sub,
    iss: issuer.url,
  };
}

function checkOwner(record: { readonly clientId: string }, { clientId }: Client): void {
  if (record.clientId === clientId) return;
  throw new OAuthError('invalid_grant', 'The token was given to another client.');
}
