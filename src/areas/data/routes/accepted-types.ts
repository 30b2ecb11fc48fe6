/** Which methods a path supports, and bodies of which types. */

import { Type } from 'typebox';
import { hasBody, mediaType } from '../../../http/body/request-body.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { jsonPatchType } from '../patch/parse-json-patch.js';
import type { Call } from '../source/call.js';

/** Alternatives to JSON: fields inside others are named as `address.city`, several texts repeated or separated by `;`. */
export const otherBodies = {
  'application/x-www-form-urlencoded': Type.Unsafe<object>({ type: 'object' }),
  'text/csv': Type.String(),
  'application/yaml': Type.Unknown(),
};

const acceptPost = ['application/json', ...Object.keys(otherBodies)].join(', ');

/** The first two are a merge patch (RFC 7396), the last a JSON patch (RFC 6902). */
const patchTypes = ['application/merge-patch+json', 'application/json', jsonPatchType];

const acceptPatch = patchTypes.join(', ');

/** Throws 415 for another type of a patch (RFC 5789 section 2.2), before its body is read. */
export function rejectOtherPatches({ raw, headers }: Request): void {
  const type = mediaType(headers['content-type']);
  if (!hasBody(raw) || patchTypes.includes(type)) return;
  const sent = type === '' ? 'A patch without a Content-Type' : `A patch of the type ${type}`;
  throw new HttpError(415, `${sent} is not supported. Send one of ${acceptPatch}.`, {
    headers: { 'accept-patch': acceptPatch },
  });
}

/** Responds to OPTIONS (RFC 9110 section 9.3.7) on the path of a source. */
export function options({ source: { isSingle }, reply }: Call): Reply {
  const headers = isSingle
    ? { allow: 'GET, HEAD, OPTIONS, PATCH, PUT', 'accept-patch': acceptPatch }
    : { allow: 'GET, HEAD, OPTIONS, POST', 'accept-post': acceptPost };
  return reply.code(204).headers(headers).send();
}

/** The same on the path of a record. */
export function optionsOfRecord(_request: unknown, reply: Reply): Reply {
  const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT';
  return reply.code(204).headers({ allow, 'accept-patch': acceptPatch }).send();
}
