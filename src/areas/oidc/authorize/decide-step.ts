/** What comes next for a request: a page, or the response (OpenID Connect Core sections 3.1.2.1 to 3.1.2.4). */

import type { AuthorizationRequest } from './authorization-request.js';
import { demandedValues } from './parse-claims.js';
import { acrValues, type Session } from './session.js';

export interface Situation {
  readonly session: Session | undefined;
  /** What the user of the session has granted to the client before. */
  readonly consented: readonly string[];
  /** Whether the session began for this very request. */
  readonly isFresh: boolean;
  /** Whether the user consented to this very request. */
  readonly hasConsented: boolean;
  /** Whom the ID token of the hint is about. */
  readonly hintedSub?: string | undefined;
  readonly nowMs: number;
}

export type Step =
  | { readonly kind: 'login' }
  | { readonly kind: 'consent'; readonly session: Session }
  | { readonly kind: 'respond'; readonly session: Session }
  | { readonly kind: 'reject'; readonly code: string; readonly message: string };

export function decideStep(request: AuthorizationRequest, situation: Situation): Step {
  const { session } = situation;
  const isSilent = request.prompts.includes('none');
  if (session === undefined || needsLogin(request, session, situation)) {
    if (!isSilent) return { kind: 'login' };
    return reject('login_required', 'Nobody is logged in as this request wants it.');
  }
  if (!isWanted(request, session, situation)) {
    return reject('login_required', 'Another user is logged in than the one who was asked for.');
  }
  const wish = acrFault(request, session);
  if (wish !== undefined && !situation.isFresh && !isSilent) return { kind: 'login' };
  if (wish === 'essential') {
    const message = `The user logged in by ${session.acr}, which is none of the demanded acr values.`;
    return reject('unmet_authentication_requirements', message);
  }
  if (needsConsent(request, situation)) {
    if (!isSilent) return { kind: 'consent', session };
    return reject('consent_required', 'The user has not consented to all of the scope.');
  }
  return { kind: 'respond', session };
}

/**
 * Whether the login is of another kind than the client wants. Of `acr_values`, those that cannot be reached here are
 * ignored; what is essential must be reached (OpenID Connect Core section 5.5.1.1).
 */
function acrFault(
  { claims, acrValues: wished = [] }: AuthorizationRequest,
  { acr }: Session,
): 'voluntary' | 'essential' | undefined {
  const claim = claims.idToken.acr;
  const demanded = demandedValues(claim);
  if (claim?.essential && demanded.length > 0) {
    return demanded.includes(acr) ? undefined : 'essential';
  }
  const reachable = [...demanded, ...wished].filter((each) =>
    acrValues.some((known) => known === each),
  );
  return reachable.length === 0 || reachable.includes(acr) ? undefined : 'voluntary';
}

function needsLogin(
  { prompts, maxAgeSeconds, loginHint }: AuthorizationRequest,
  session: Session,
  situation: Situation,
): boolean {
  if (situation.isFresh) return false;
  if (prompts.includes('login') || prompts.includes('select_account')) return true;
  if (loginHint !== undefined && loginHint !== session.username) return true;
  if (situation.hintedSub !== undefined && situation.hintedSub !== session.username) return true;
  if (maxAgeSeconds === undefined) return false;
  return situation.nowMs - session.authTimeMs >= maxAgeSeconds * 1000;
}

/** Whether this is the person whom the client named by an ID token, or by a claim. */
function isWanted(
  { claims }: AuthorizationRequest,
  { username }: Session,
  { hintedSub }: Situation,
): boolean {
  for (const { sub } of [claims.idToken, claims.userinfo]) {
    const subs = demandedValues(sub);
    if (subs.length > 0 && !subs.includes(username)) return false;
  }
  return hintedSub === undefined || hintedSub === username;
}

function needsConsent(
  { prompts, scopes }: AuthorizationRequest,
  { consented, hasConsented }: Situation,
): boolean {
  if (hasConsented) return false;
  return prompts.includes('consent') || !scopes.every((scope) => consented.includes(scope));
}

function reject(code: string, message: string): Step {
  return { kind: 'reject', code, message };
}
