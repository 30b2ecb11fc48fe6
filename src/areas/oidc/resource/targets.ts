/** Resource indicators (RFC 8707): where a client wants to use its tokens. */

import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Issuer } from '../issuer.js';

/** The whole of the resource, and each part of it by itself. */
export function targetsOf(issuer: Issuer): readonly string[] {
  return [issuer.resource, issuer.at('me'), issuer.at('orders')];
}

/** What a request asks for; `undefined` when it names nothing. No address has a space in it. */
export function askedTargets(form: Form): readonly string[] | undefined {
  const asked = form.get('resource');
  return asked === undefined ? undefined : [...new Set(asked.split(' '))];
}

/** What is wrong with the `resource` of a request; the error code of all that is `invalid_target`. */
export function targetFault(form: Form, issuer: Issuer): string | undefined {
  const known = targetsOf(issuer);
  const strange = (askedTargets(form) ?? []).find((each) => !known.includes(each));
  return strange && `The resource must be of ${known.join(', ')}, which this issuer protects.`;
}

/** Whether tokens for `granted` may become tokens for `asked`: the whole of the resource has all parts in it. */
export function isWithin(
  asked: readonly string[] | undefined,
  granted: readonly string[] | undefined,
): boolean {
  if (asked === undefined || granted === undefined) return true;
  return asked.every((each) => granted.some((one) => each === one || each.startsWith(`${one}/`)));
}
