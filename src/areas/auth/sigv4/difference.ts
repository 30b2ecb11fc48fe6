/** The part of a request in which it differs from what was signed, as rejections name it. */

import { HttpError } from '../../../http/http-error.js';

export interface Difference {
  /** Such as `host`, `Credential` or `query`. */
  readonly part: string;
  readonly message: string;
}

/** What was computed here, for comparison. */
export interface Computed {
  readonly canonicalRequest: string;
  readonly stringToSign: string;
}

/** AWS, too, responds with 403 and no challenge. */
export function rejection({ part, message }: Difference, computed?: Computed): HttpError {
  return new HttpError(403, `${part}: ${message}`, {
    body: { ...computed, differs: { part, message } },
  });
}

export function reject(part: string, message: string): never {
  throw rejection({ part, message });
}
