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
  const resource = form.get('resource');
  if (resource === undefined) return undefined;
  const known = targetsOf(issuer);
  // No URL has a space in it.
  const targets = [...new Set(resource.split(' '))];
  if (targets.every((each) => known.includes(each))) return targets;
  const message = `The resource must be of ${known.join(', ')}, which this issuer protects.`;
  throw new RejectedRequest('invalid_target', message);
}

/** Returns whether tokens for `granted` may become tokens for `asked`: the whole of the resource has all parts in it. */
export function isWithin(
  asked: readonly string[] | undefined,
  granted: readonly string[] | undefined,
): boolean {
  if (asked === undefined || granted === undefined) return true;
  return asked.every((each) => granted.some((one) => each === one || each.startsWith(`${one}/`)));
}
