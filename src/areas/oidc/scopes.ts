/** What a client can ask for. */

import type { Form } from '../../http/oauth/form.js';
import { rejected } from '../../http/oauth/oauth-error.js';
import type { Issuer } from './issuer.js';

export const knownScopes = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
  'orders',
] as const;

export const serviceScopes = ['profile', 'orders'] as const;

export const scopeMeanings: Readonly<Record<(typeof knownScopes)[number], string>> = {
  openid: 'know who you are',
  profile: 'read your name, birthday and roles',
  email: 'read your e-mail address',
  address: 'read your postal address',
  phone: 'read your phone number',
  offline_access: 'do so while you are away',
  orders: 'read your orders',
};

/** Returns the whole of the resource, and each part of it by itself. */
export function targetsOf(issuer: Issuer): readonly string[] {
  return [issuer.resource, issuer.at('me'), issuer.at('orders')];
}

/** Returns the requested targets, or `undefined` without any. Throws {@link RejectedRequest}. */
export function readTargets(form: Form, issuer: Issuer): readonly string[] | undefined {
  // No URL has a space in it.
  const targets = form.get('resource')?.split(' ');
  const known = targetsOf(issuer);
  if (targets === undefined) return undefined;
  if (targets.every((each) => known.includes(each))) return [...new Set(targets)];
  throw rejected(
    `The resource must be of ${known.join(', ')}, which this issuer protects.`,
    'invalid_target',
  );
}

/** Whether tokens for `granted` may become tokens for `requested`: the whole of the resource includes its parts. */
export function isWithin(
  requested: readonly string[] | undefined,
  granted: readonly string[] | undefined,
): boolean {
  if (requested === undefined || granted === undefined) return true;
  return requested.every((each) =>
    granted.some((one) => each === one || each.startsWith(`${one}/`)),
  );
}
