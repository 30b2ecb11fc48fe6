/** Resource indicators (RFC 8707): where a client wants to use its tokens. */

import type { Form } from '../../../http/oauth/form.js';
import type { Issuer } from '../issuer.js';
import { RejectedRequest } from '../rejected-request.js';

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
  const message = `The resource must be of ${known.join(', ')}, which this issuer protects.`;
  throw new RejectedRequest('invalid_target', message);
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
