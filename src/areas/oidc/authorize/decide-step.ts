/** Decides the next step of a request: a page, or the response (OpenID Connect Core sections 3.1.2.1 to 3.1.2.4). */

import { rejected } from '#http/oauth/oauth-error.js';
import { acrValues, type Session } from '../model/session.js';
import { type AuthorizationRequest, demandedValues } from './authorization-request.js';

export interface Situation {
  readonly session: Session | undefined;
  /** The scopes that the user has granted to the client before. */
  readonly consented: readonly string[];
  /** Whether the session began for this request. */
  readonly isFresh: boolean;
  /** Whether the user consented to this request. */
  readonly hasConsented: boolean;
  /** The user in the ID token that the client sent as a hint. */
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
    throw rejected('No user is logged in as this request requires.', 'login_required');
  }
  // The client can name the user in an ID token, or in a claim.
  const { claims, prompts, scopes } = request;
  const demands = [claims.idToken.sub, claims.userinfo.sub].map(demandedValues);
  const isDemanded = demands.every((subs) => subs.length === 0 || subs.includes(session.username));
  if (!isDemanded || (hintedSub ?? session.username) !== session.username) {
    throw rejected('Another user is logged in than the requested one.', 'login_required');
  }
  const wish = acrFault(request, session);
  if (wish !== undefined && !isFresh && !isSilent) return { kind: 'login' };
  if (wish === 'essential') {
    throw rejected(
      `The user logged in with ${session.acr}, which is not a requested acr value.`,
      'unmet_authentication_requirements',
    );
  }
  const isGranted = scopes.every((scope) => situation.consented.includes(scope));
  const needsConsent = !hasConsented && (prompts.includes('consent') || !isGranted);
  if (!needsConsent) return { kind: 'respond', session };
  if (!isSilent) return { kind: 'consent', session };
  throw rejected('The user has not consented to all scopes.', 'consent_required');
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
 * Whether the client requires another kind of login. Ignores values of `acr_values` that this issuer cannot provide;
 * essential values must be met (OpenID Connect Core section 5.5.1.1).
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
