/** 3D Secure: when a card needs it, and the action that requests it. */

import type { TestCard } from '../engine/declarations.js';
import type { Ledger } from '../engine/ledger.js';
import type { Stored, Value } from '../engine/objects.js';
import { ApiError, invalidRequest } from '../wire/errors.js';

export interface Attempt {
  readonly isOffSession: boolean;
  /** Whether the caller requests 3D Secure. */
  readonly isRequested: boolean;
  /** Whether the payment method was set up for payments without its owner. */
  readonly isReady: boolean;
}

export type Authentication = 'none' | 'needed' | 'impossible' | 'fails';

export function authenticationOf(
  { threeD }: TestCard,
  { isOffSession, isRequested, isReady }: Attempt,
): Authentication {
  const needed = isOffSession ? 'impossible' : 'needed';
  if (threeD === 'always') return needed;
  if (threeD === 'error') return 'fails';
  if (threeD === 'on-session') return isOffSession ? 'none' : 'needed';
  if (threeD === 'unless-set-up') return isOffSession && isReady ? 'none' : needed;
  if (threeD === undefined || !isRequested || isOffSession) return 'none';
  return threeD === 'optional' ? 'needed' : 'fails';
}

/** Returns `next_action`, which leads to a page of this service. */
export function nextAction(ledger: Ledger, intent: Stored, returnUrl: Value): Value {
  const url = ledger.openPage('authenticate', intent);
  if (returnUrl) {
    return { redirect_to_url: { return_url: returnUrl, url }, type: 'redirect_to_url' };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: intent.id },
  };
}

export const authenticationRequired = (code: string, decline_code: string, message: string) =>
  new ApiError(message, { type: 'card_error', code, decline_code });

export const needsOwner = () =>
  authenticationRequired(
    'authentication_required',
    'authentication_required',
    'Your card was declined: the bank needs 3D Secure.',
  );

export const isNotHandled = () =>
  authenticationRequired(
    'authentication_required',
    'authentication_not_handled',
    'Your card was declined: the bank needs 3D Secure.',
  );

export const authenticationFailed = (kind: 'payment' | 'setup') =>
  new ApiError(
    'The customer failed the authentication. Confirm again with another payment method.',
    { code: `${kind}_intent_authentication_failure` },
  );

/** Throws 400 if redirects are possible, and the caller did not say where they return to. */
export function requireReturnUrl(intent: Stored, returnUrl: Value, isForSdk: boolean): void {
  const automatic = intent.automatic_payment_methods;
  if (!automatic?.enabled || automatic.allow_redirects === 'never' || returnUrl || isForSdk) return;
  throw invalidRequest(
    'A payment method of this intent may lead to another page. Send return_url, or create the intent with automatic_payment_methods[allow_redirects]=never.',
  );
}
