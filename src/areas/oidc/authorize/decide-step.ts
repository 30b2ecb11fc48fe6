/** What comes next for a request: a page, or the response (OpenID Connect Core sections 3.1.2.1 to 3.1.2.4). */

import { rejected } from '../../../http/oauth/oauth-error.js';
import { type AuthorizationRequest, demandedValues } from './authorization-request.js';
import { acrValues, type Session } from './session.js';

export interface Situation {
  readonly session: Session | undefined;
  /** What the user of the session has granted to the client before. */
  readonly consented: readonly string[];
  /** Whether the session began for this very request. */
  readonly isFresh: boolean;
  /** Whether the user consented to this very request. */
  readonly hasConsented: boolean;
  /** The user of the ID token that the client sent as a hint. */
  readonly hintedSub: string | undefined;
  readonly nowMs: number;
}

export type Step =
  | { readonly kind: 'login' }
  | { readonly kind: 'consent' | 'respond'; readonly session: Session };

export function decideStep(request: AuthorizationRequest, situation: Situation): Step {
  const { session, isFresh, hasConsented, hintedSub } = situation;
  const isSilent = request.prompts.includes('none');
  if (session === undefined || (!isFresh && needsLogin(request, session, situation))) {
    if (!isSilent) return { kind: 'login' };
    throw rejected('Nobody is logged in as this request wants it.', 'login_required');
  }
  // The client can name the person by an ID token, or by a claim.
  const { claims, prompts, scopes } = request;
  const demands = [claims.idToken.sub, claims.userinfo.sub].map(demandedValues);
  const isDemanded = demands.every((subs) => subs.length === 0 || subs.includes(session.username));
  if (!isDemanded || (hintedSub ?? session.username) !== session.username) {
    throw rejected('Another user is logged in than the one who was asked for.', 'login_required');
  }
  const wish = acrFault(request, session);
  if (wish !== undefined && !isFresh && !isSilent) return { kind: 'login' };
  if (wish === 'essential') {
    throw rejected(
      `The user logged in by ${session.acr}, which is none of the demanded acr values.`,
      'unmet_authentication_requirements',
    );
  }
  const isGranted = scopes.every((scope) => situation.consented.includes(scope));
  const needsConsent = !hasConsented && (prompts.includes('consent') || !isGranted);
  if (!needsConsent) return { kind: 'respond', session };
  if (!isSilent) return { kind: 'consent', session };
  throw rejected('The user has not consented to all of the scope.', 'consent_required');
}

function needsLogin(
  { prompts, maxAgeSeconds, loginHint }: AuthorizationRequest,
  { username, authTimeMs }: Session,
  { hintedSub, nowMs }: Situation,
): boolean {
  if (prompts.includes('login') || prompts.includes('select_account')) return true;
  if ((loginHint ?? username) !== username || (hintedSub ?? username) !== username) return true;
  return maxAgeSeconds !== undefined && nowMs - authTimeMs >= maxAgeSeconds * 1000;
}

/**
 * Whether the login is of another kind than the client wants. Of `acr_values`, those that cannot be reached here are
 * ignored; what is essential must be reached (OpenID Connect Core section 5.5.1.1).
 */
function acrFault({ claims, acrValues: wished = [] }: AuthorizationRequest, { acr }: Session) {
  const claim = claims.idToken.acr;
  const demanded = demandedValues(claim);
  if (claim?.essential && demanded.length > 0) {
    return demanded.includes(acr) ? undefined : 'essential';
  }
  const reachable = acrValues.filter((known) => [...demanded, ...wished].includes(known));
  return reachable.length === 0 || reachable.includes(acr) ? undefined : 'voluntary';
}
