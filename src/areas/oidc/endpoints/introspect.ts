/** Introspection of tokens (RFC 7662, signed as in RFC 9701), and revocation (RFC 7009). */

import { Type } from 'typebox';
import { unixSeconds } from '#base/whole-seconds.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { negotiateType } from '#http/negotiation/negotiate-type.js';
import { needed } from '#http/oauth/form.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import {
  introspectionMembers,
  introspectionTimes,
  oauthRejections,
} from '#kit/describe/oauth-schemas.js';
import { publishEvent } from '#state/events/publish-event.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { issuerEndpoint } from '../exchange.js';
import {
  clientForm,
  forClients,
  openObject,
  optionalText,
  optionalTexts,
  text,
} from '../messages/schemas.js';
import { type Client, isPublic } from '../model/client.js';
import { accessTokens, audienceOf, grants, refreshTokens, tokenTypeOf } from '../model/grants.js';
import { issuerEvent } from '../model/issuer-events.js';
import type { Signing } from '../model/issuer-keys.js';
import { accessClaimsOf } from '../model/users.js';
import { findAccess } from '../token/access.js';

const introspectionType = 'application/token-introspection+jwt';

const tokenForm = clientForm({ token: text, token_type_hint: optionalText });

export const introspect = issuerEndpoint('POST', 'introspect', {
  ...forClients,
  onlyReads: true,
  summary: 'Introspect a token',
  description:
    'RFC 7662, for clients with a secret or a key. With Accept: application/token-introspection+jwt, the response is a JWT (RFC 9701).',
  bodies: tokenForm,
  responses: {
    200: openObject('Introspection', {
      ...introspectionMembers,
      ...optionalTexts('username', 'token_type'),
      ...introspectionTimes,
      aud: Type.Optional(Type.Unsafe({ type: ['string', 'array'], items: text })),
      cnf: Type.Optional(Type.Object(optionalTexts('jkt', 'x5t#S256'))),
      act: Type.Optional(Type.Unsafe({ type: 'object', additionalProperties: true })),
    }),
    ...oauthRejections,
  },
  async handle(at) {
    const { request, reply, sandbox, issuer, keys } = at;
    const { form, client } = await readClientForm(at);
    if (isPublic(client)) {
      const message =
        'A public client may not introspect tokens: it cannot keep the result secret.';
      throw new OAuthError('invalid_client', message);
    }
    const described = await describeToken(at, needed(form, 'token'));
    const offers = [{ types: ['application/json'] }, { types: [introspectionType] }];
    const chosen = negotiateType(request.headers.accept, offers);
    if (chosen?.mediaType !== introspectionType) return described;
    const iat = unixSeconds(await sandbox.now());
    const jwt = await keys.sign(
      sandbox,
      { iss: issuer.url, aud: client.clientId, iat, token_introspection: described },
      { alg: client.introspectionAlg, typ: 'token-introspection+jwt' },
    );
    return reply.type(introspectionType).serializer(String).send(jwt);
  },
});

async function describeToken(signing: Signing, token: string): Promise<object> {
  const { issuer, sandbox } = signing;
  const found = await findAccess(signing, token);
  if (typeof found === 'string') return describeRefresh(signing, token);
  const { record, grant } = found;
  const issuedAt = unixSeconds(record.issuedAtMs);
  return {
    ...(await accessClaimsOf(sandbox, grant)),
    active: true,
    scope: record.scope,
    client_id: record.clientId,
    username: grant.isOfUser ? record.sub : undefined,
    token_type: tokenTypeOf(record),
    cnf: record.cnf,
    act: record.act,
    exp: unixSeconds(record.expiresAtMs),
    iat: issuedAt,
    nbf: issuedAt,
    sub: record.sub,
    aud: audienceOf(record, issuer),
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

export const revoke = issuerEndpoint('POST', 'revoke', {
  ...forClients,
  summary: 'Revoke a token',
  description: 'RFC 7009. Revoking a refresh token revokes all tokens of its login.',
  bodies: tokenForm,
  responses: { 200: Type.Object({}), ...oauthRejections },
  async handle(at) {
    const { sandbox } = at;
    const { form, client } = await readClientForm(at);
    const token = needed(form, 'token');
    const refresh = await sandbox.read(refreshTokens, keyOf(token));
    if (refresh !== undefined) {
      checkOwner(refresh, client);
      await sandbox.transact((view) => {
        view.write(grants, refresh.grantId, undefined);
        publishEvent(view, revoked(client, 'refresh_token'));
      });
      return {};
    }
    const found = await findAccess(at, token);
    if (typeof found === 'string') return {};
    checkOwner(found.record, client);
    await sandbox.transact((view) => {
      view.write(accessTokens, found.key, undefined);
      publishEvent(view, revoked(client, 'access_token'));
    });
    return {};
  },
});

const revoked = ({ clientId }: Client, kind: string) =>
  issuerEvent('token.revoked', clientId, { client_id: clientId, token_type: kind });

function checkOwner(record: { readonly clientId: string }, { clientId }: Client): void {
  if (record.clientId === clientId) return;
  throw new OAuthError('invalid_grant', 'The token was issued to another client.');
}
