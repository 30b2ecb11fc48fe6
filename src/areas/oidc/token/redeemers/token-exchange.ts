/** Tokens of this issuer for other ones: RFC 8693, as the user (impersonation) or for the user (delegation). */

import { type Form, needed } from '../../../../http/oauth/form.js';
import { OAuthError } from '../../../../http/oauth/oauth-error.js';
import { readScope } from '../../../../http/oauth/read-scope.js';
import { isPublic } from '../../clients/client.js';
import { isWithin } from '../../resource/targets.js';
import { type FoundAccess, findAccess } from '../../tokens/find-access.js';
import { type Actor, accessTokens, isProved } from '../grants.js';
import { writeAccess } from '../issue.js';
import type { RedeemContext, Redeemer } from './redeemer.js';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const tokenTypes = [accessTokenType, jwtType];

export const redeemExchange: Redeemer = async (form, client, context) => {
  const { clientId } = client;
  if (isPublic(client)) {
    throw new OAuthError('unauthorized_client', 'A public client may not exchange tokens.');
  }
  const issuedTokenType = form.get('requested_token_type') ?? accessTokenType;
  if (!tokenTypes.includes(issuedTokenType)) throw wrongType('requested_token_type');
  rejectForeignAudience(form, context);
  const subject = await readToken(form, 'subject_token', context);
  const actor = form.has('actor_token') ? await readToken(form, 'actor_token', context) : undefined;
  if (actor === undefined && form.has('actor_token_type')) {
    throw invalid('There is an actor_token_type without an actor_token.');
  }
  const { grantId, sub, scope, targets: granted, act: before } = subject.record;
  const fault = `The scope can be no more than of the subject: ${scope}.`;
  const scopes = readScope(form.get('scope'), { allowed: scope.split(' '), fault });
  const act = actor === undefined ? before : delegated(actor, before);
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
    if (isGone) return invalid('The token was revoked.');
    const grant = { ...subject.grant, clientId, sub };
    const targets = fresh.targets ?? granted;
    const access = { grant, grantId, scopes, act, untilMs };
    return { ...writeAccess(view, { ...fresh, targets }, access), isJwt, issuedTokenType };
  };
};

/** The actor before stands below the one who acts now (section 4.1). */
function delegated({ record: { sub } }: FoundAccess, before: Actor | undefined): Actor {
  return { sub, ...(before !== undefined && { act: before }) };
}

function rejectForeignAudience(form: Form, { signing: { issuer } }: RedeemContext): void {
  const requested = form.get('audience')?.split(' ') ?? [];
  if (requested.every((each) => each === issuer.resource)) return;
  throw new OAuthError('invalid_target', `The audience must be ${issuer.resource}.`);
}

async function readToken(
  form: Form,
  name: 'subject_token' | 'actor_token',
  { signing, cnf }: RedeemContext,
): Promise<FoundAccess> {
  const token = needed(form, name);
  if (!tokenTypes.includes(needed(form, `${name}_type`))) throw wrongType(`${name}_type`);
  const found = await findAccess(signing, token);
  // Section 2.2.2: whatever is wrong with a token is wrong with the request.
  if (typeof found === 'string') throw invalid(`The ${name}: ${found}.`);
  if (isProved(found.record.cnf, cnf)) return found;
  throw invalid(
    `The ${name} is bound to a key: send a DPoP proof by that key, or its certificate.`,
  );
}

function wrongType(name: string): OAuthError {
  return invalid(`The ${name} must be ${tokenTypes.join(' or ')}.`);
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_request', message);
}
