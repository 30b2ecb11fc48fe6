/** Tokens of this issuer for other ones: RFC 8693, as the user (impersonation) or for the user (delegation). */

import type { Form } from '../../../../http/credentials/oauth-form.js';
import { isPublic } from '../../clients/client.js';
import { oauthError } from '../../oauth-error.js';
import { needed } from '../../read-parameters.js';
import { isWithin } from '../../resource/targets.js';
import { type FoundAccess, findAccess } from '../../tokens/find-access.js';
import { type Actor, isProved } from '../grants.js';
import { type Exchanged, exchangeAccess } from '../redeem.js';
import type { RedeemContext, Redeemer } from './redeemer.js';

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
export const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const tokenTypes = [accessTokenType, jwtType];

export const redeemExchange: Redeemer = async (form, client, context) => {
  if (isPublic(client)) {
    throw oauthError('unauthorized_client', 'A public client may not exchange tokens.');
  }
  const tokenType = form.get('requested_token_type') ?? accessTokenType;
  if (!tokenTypes.includes(tokenType)) throw strangeType('requested_token_type');
  rejectForeignAudience(form, context);
  const subject = await readToken(form, 'subject_token', context);
  const actor = form.has('actor_token') && (await readToken(form, 'actor_token', context));
  if (!actor && form.has('actor_token_type')) {
    throw oauthError('invalid_request', 'There is an actor_token_type without an actor_token.');
  }
  const scopes = readScopes(form.get('scope'), subject);
  const act = actor ? delegated(actor, subject) : subject.record.act;
  const isJwt = tokenType === jwtType || client.accessToken === 'jwt';
  return (view, fresh) => {
    if (!isWithin(fresh.targets, subject.record.targets)) {
      const granted = subject.record.targets?.join(' ');
      return { code: 'invalid_target', message: `The subject_token is for ${granted} alone.` };
    }
    const grant = { ...subject.grant, clientId: client.clientId, sub: subject.record.sub };
    const targets = fresh.targets ?? subject.record.targets;
    const until: Exchanged['until'] = actor ? [subject, actor] : [subject];
    const made = { grant, scopes, act, until };
    const issued = exchangeAccess(view, made, { ...fresh, targets });
    if ('message' in issued) return issued;
    return { ...issued, isJwt, issuedTokenType: tokenType };
  };
};

/** Whoever acted before stands below whoever acts now (section 4.1). */
function delegated({ record }: FoundAccess, subject: FoundAccess): Actor {
  const { act: before } = subject.record;
  return { sub: record.sub, ...(before !== undefined && { act: before }) };
}

function rejectForeignAudience(form: Form, { signing: { issuer } }: RedeemContext): void {
  const asked = form.get('audience')?.split(' ') ?? [];
  if (asked.every((each) => each === issuer.resource)) return;
  throw oauthError('invalid_target', `The audience must be ${issuer.resource}.`);
}

async function readToken(
  form: Form,
  name: 'subject_token' | 'actor_token',
  { signing, cnf }: RedeemContext,
): Promise<FoundAccess> {
  const token = needed(form, name);
  if (!tokenTypes.includes(needed(form, `${name}_type`))) throw strangeType(`${name}_type`);
  const found = await findAccess(signing, token);
  // Section 2.2.2: whatever is wrong with a token is wrong with the request.
  if (typeof found === 'string') throw oauthError('invalid_request', `The ${name}: ${found}.`);
  if (!isProved(found.record.cnf, cnf)) {
    const message = `The ${name} is bound to a key: send a DPoP proof by that key, or its certificate.`;
    throw oauthError('invalid_request', message);
  }
  return found;
}

function readScopes(scope: string | undefined, { record }: FoundAccess): readonly string[] {
  const granted = record.scope.split(' ');
  if (scope === undefined) return granted;
  const asked = [...new Set(scope.split(' '))];
  if (asked.every((each) => granted.includes(each))) return asked;
  throw oauthError(
    'invalid_scope',
    `The scope can be no more than of the subject: ${record.scope}.`,
  );
}

function strangeType(name: string) {
  return oauthError('invalid_request', `The ${name} must be ${tokenTypes.join(' or ')}.`);
}
