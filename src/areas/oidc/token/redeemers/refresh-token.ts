/** A refresh token becomes other tokens: RFC 6749 section 6, and section 4.14.2 of RFC 9700. */

import { keyOf } from '../../../../http/credentials/secret-text.js';
import { needed } from '../../../../http/oauth/form.js';
import { readScope } from '../../../../http/oauth/read-scope.js';
import { misbehaviourIn } from '../../misbehaviour/choose-misbehaviour.js';
import { lifetimesIn } from '../../settings/issuer-settings.js';
import { endGrant, grants, isProved, refreshTokens } from '../grants.js';
import { writeAccess, writeGrant, writeRefresh } from '../issue.js';
import { isWithin } from '../targets.js';
import { invalidGrant, invalidTarget, type Redeemer } from './redeemer.js';

/** Each works once, and one that comes again ends its family. */
export const redeemRefresh: Redeemer = ({ form, client, requested }) => {
  const token = needed(form, 'refresh_token');
  const key = keyOf(token);
  return (view, fresh) => {
    const record = view.read(refreshTokens, key);
    const grant = record && view.read(grants, record.grantId);
    if (record === undefined || record.clientId !== client.clientId) {
      return invalidGrant('The refresh token is not one that was given to this client.');
    }
    const { grantId, expiresAtMs } = record;
    if (!isProved(record.cnf, fresh.cnf)) {
      return invalidGrant(
        'The refresh token is bound to a key: send a DPoP proof by that key, or its certificate.',
      );
    }
    if (record.isUsed) {
      endGrant(view, grantId);
      return invalidGrant(
        'The refresh token was used before. All tokens of its login are revoked.',
      );
    }
    if (grant === undefined) return invalidGrant('The refresh token was revoked.');
    if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
    const fault = `The scope can be no more than was granted: ${grant.scopes.join(' ')}.`;
    const scopes = readScope(form.get('scope'), { allowed: grant.scopes, fault });
    const misbehaviour = misbehaviourIn(view, requested, grant.misbehaviour);
    const isKept = misbehaviour?.name === 'refresh-not-rotated';
    if (!isKept) view.write(refreshTokens, key, { ...record, isUsed: true }, { expiresAtMs });
    const lifetimes = lifetimesIn(view);
    writeGrant(view, grantId, grant, Math.max(lifetimes.refresh, lifetimes.access) * 1000);
    const issued = writeAccess(view, fresh, { grant, grantId, scopes });
    const refresh = isKept ? token : writeRefresh(view, fresh, grantId, client);
    return { ...issued, refresh, misbehaviour };
  };
};
