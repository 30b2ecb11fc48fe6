/** Tokens of this issuer for other ones: RFC 8693, as the user (impersonation) or for the user (delegation). */

import { needed } from '../../../../http/oauth/form.js';
import { invalidRequest, OAuthError } from '../../../../http/oauth/oauth-error.js';
import { readScope } from '../../../../http/oauth/read-scope.js';
import { isPublic } from '../../clients/client.js';
import { type FoundAccess, findAccess } from '../../tokens/find-access.js';
import { accessTokens, isProved } from '../grants.js';
import { writeAccess } from '../issue.js';
import { isWithin } from '../targets.js';
import type { Redeemer, TokenRequest } from './redeemer.js';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const tokenTypes = [accessTokenType, jwtType];

export const redeemExchange: Redeemer = async (request) => {
  const { form, client, issuer } = request;
  const { clientId } = client;
  if (isPublic(client)) {
    throw new OAuthError('unauthorized_client', 'A public client may not exchange tokens.');
  }
  const issuedTokenType = form.get('requested_token_type') ?? accessTokenType;
  if (!tokenTypes.includes(issuedTokenType)) throw wrongType('requested_token_type');
  const audience = form.get('audience')?.split(' ') ?? [];
  if (audience.some((each) => each !== issuer.resource)) {
    throw new OAuthError('invalid_target', `The audience must be ${issuer.resource}.`);
  }
  const subject = await readToken(request, 'subject_token');
  const actor = form.has('actor_token') ? await readToken(request, 'actor_token') : undefined;
  if (actor === undefined && form.has('actor_token_type')) {
    throw invalidRequest('There is an actor_token_type without an actor_token.');
  }
  const { grantId, sub, scope, targets: granted, act: before } = subject.record;
  const fault = `The scope can be no more than of the subject: ${scope}.`;
  const scopes = readScope(form.get('scope'), { allowed: scope.split(' '), fault });
  // The actor before stands below the one who acts now (section 4.1).
  const act = actor === undefined ? before : { sub: actor.record.sub, act: before };
  const isJwt = issuedTokenType === jwtType || client.accessToken === 'jwt';
  // It ends with the first, and outlives none.
  const used = actor === undefined ? [subject] : [subject, actor];
  const untilMs = Math.min(...used.map(({ record }) => record.expiresAtMs));
  return (view, fresh) => {
    if (!isWithin(fresh.targets, granted)) {
      const message = `The subject_token is for ${granted?.join(' ')} alone.`;
      return new OAuthError('invalid_target', message);
    }
    const isGone = used.some(({ key }) => view.read(accessTokens, key) === undefined);
    if (isGone) return invalidRequest('The token was revoked.');
    const grant = { ...subject.grant, clientId, sub };
    const targets = fresh.targets ?? granted;
    const access = { grant, grantId, scopes, act, untilMs };
    return { ...writeAccess(view, { ...fresh, targets }, access), isJwt, issuedTokenType };
  };
};

async function readToken(
  request: TokenRequest,
  name: 'subject_token' | 'actor_token',
): Promise<FoundAccess> {
  const { form, cnf } = request;
  const token = needed(form, name);
  if (!tokenTypes.includes(needed(form, `${name}_type`))) throw wrongType(`${name}_type`);
  const found = await findAccess(request, token);
  // Section 2.2.2: whatever is wrong with a token is wrong with the request.
  if (typeof found === 'string') throw invalidRequest(`The ${name}: ${found}.`);
  if (isProved(found.record.cnf, cnf)) return found;
  throw invalidRequest(
    `The ${name} is bound to a key: send a DPoP proof by that key, or its certificate.`,
  );
}

function wrongType(name: string): OAuthError {
  return invalidRequest(`The ${name} must be ${tokenTypes.join(' or ')}.`);
}
