/** What a PATCH may be written in: RFC 5789 section 2.2. */

import { HttpError } from '../../../http/http-error.js';
import { jsonPatchType } from '../../../http/json/parse-json-patch.js';
import { mediaType } from '../../../http/request-body.js';

/** The first two are a merge patch (RFC 7396), the last a JSON patch (RFC 6902). */
export const patchTypes = [
  'application/merge-patch+json',
  'application/json',
  jsonPatchType,
] as const;

export const acceptPatch = patchTypes.join(', ');

/** Throws 415 for a body of any other type. */
export function checkPatchType(contentType: string | undefined): void {
  const type = mediaType(contentType);
  if (patchTypes.some((taken) => taken === type)) return;
  const sent = type === '' ? 'A patch without a Content-Type' : `A patch of the type ${type}`;
  throw new HttpError(415, `${sent} is not supported. Send one of ${acceptPatch}.`, {
    headers: { 'accept-patch': acceptPatch },
  });
}
