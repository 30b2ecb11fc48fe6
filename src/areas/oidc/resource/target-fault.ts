/** Resource indicators (RFC 8707 section 2): where a client wants to use its tokens. */

import type { Form } from '../../../http/oauth-form.js';
import type { Issuer } from '../issuer.js';

/** What is wrong with the `resource` of a request; the error code of all that is `invalid_target`. */
export function targetFault(form: Form, { resource }: Issuer): string | undefined {
  const asked = form.get('resource');
  if (asked === undefined || asked === resource) return undefined;
  return `The resource must be ${resource}, the only one that this issuer gives tokens for.`;
}
