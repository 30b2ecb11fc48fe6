/** The part of a request that differs from the signed request, as error messages name it. */

import { HttpError } from '#http/http-error.js';

export interface Difference {
  /** Such as `host`, `Credential` or `query`. */
  readonly part: string;
  readonly message: string;
}

/** The values that the server computed, for comparison. */
export interface Computed {
  readonly canonicalRequest: string;
  readonly stringToSign: string;
}

/** Responds like AWS: 403 without a challenge. */
export function rejection({ part, message }: Difference, computed?: Computed): HttpError {
  return new HttpError(403, `${part}: ${message}`, {
    body: { ...computed, differs: { part, message } },
  });
}

export function reject(part: string, message: string): never {
  throw rejection({ part, message });
}
