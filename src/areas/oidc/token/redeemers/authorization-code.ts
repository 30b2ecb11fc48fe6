/** A code becomes tokens: RFC 6749 section 4.1.3, with PKCE (RFC 7636 section 4.6). */

import { hash } from 'node:crypto';
import { isSameSecret } from '../../../../http/credentials/is-same-secret.js';
import { keyOf } from '../../../../http/credentials/secret-text.js';
import { needed } from '../../../../http/oauth/form.js';
import { misbehaviourIn } from '../../misbehaviour/choose-misbehaviour.js';
import { codes, endGrant } from '../grants.js';
import { issueTokens, lifeOf } from '../issue.js';
import { isWithin } from '../targets.js';
import { invalidGrant, invalidTarget, type Redeemer } from './redeemer.js';

/** A code that comes again ends what came of it (section 4.1.2). */
export const redeemCode: Redeemer = ({ form, client, requested }) => {
  const key = keyOf(needed(form, 'code'));
  const redirectUri = needed(form, 'redirect_uri');
  const verifier = form.get('code_verifier');
  return (view, fresh) => {
    const record = view.read(codes, key);
    if (record === undefined || record.clientId !== client.clientId) {
      return invalidGrant('The code is not one that was given to this client lately.');
    }
    if (record.grantId !== undefined) {
      endGrant(view, record.grantId);
      return invalidGrant('The code was used before. The tokens that it gave are revoked.');
    }
    if (view.nowMs >= record.expiresAtMs) {
      const end = new Date(record.expiresAtMs).toISOString();
      return invalidGrant(`The code expired at '${end}'.`);
    }
    if (record.redirectUri !== redirectUri) {
      return invalidGrant('The redirect_uri is not the one of the authorization request.');
    }
    const misbehaviour = misbehaviourIn(view, requested, record.grant.misbehaviour);
    const fault = verifierFault(record.codeChallenge, verifier);
    if (fault !== undefined && misbehaviour?.name !== 'pkce-unchecked') return invalidGrant(fault);
    if (record.jkt !== undefined && record.jkt !== fresh.cnf?.jkt) {
      return invalidGrant(
        'The DPoP proof is not by the key of the dpop_jkt that the code is bound to.',
      );
    }
    const grant = { ...record.grant, misbehaviour: requested ?? record.grant.misbehaviour };
    if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
    const expiresAtMs = view.nowMs + lifeOf(view, client, grant);
    view.write(codes, key, { ...record, grantId: fresh.grantId }, { expiresAtMs });
    const { nonce } = grant;
    return { ...issueTokens(view, client, grant, fresh), nonce, misbehaviour };
  };
};

const verifierForm = /^[\w.~-]{43,128}$/;

/** Returns what is wrong with a verifier. A challenge cannot be left out (section 4.5.2 of OAuth 2.1). */
export function verifierFault(
  challenge: string | undefined,
  verifier: string | undefined,
): string | undefined {
  if (challenge === undefined) {
    if (verifier === undefined) return undefined;
    return 'There is a code_verifier, but the authorization request had no code_challenge.';
  }
  if (verifier === undefined) return 'The code_verifier is missing.';
  if (!verifierForm.test(verifier)) {
    return 'The code_verifier is 43 to 128 letters, digits, dots, hyphens, underscores and tildes.';
  }
  if (isSameSecret(hash('sha256', verifier, 'base64url'), challenge)) return undefined;
  return 'The code_verifier is not the one that the code_challenge was made from.';
}
