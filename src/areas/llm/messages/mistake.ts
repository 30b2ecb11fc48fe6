/** Errors in the format of a provider. */

import type { JsonObject } from '#base/json-object.js';
import { type ErrorHeaders, HttpError } from '#http/http-error.js';

export interface MistakeOptions {
  /** Kind of the error, if the status does not decide it. */
  readonly type?: string;
  readonly code?: string | null;
  /** Path of the wrong parameter, such as `messages[0].content`. */
  readonly param?: string | null;
  /** Machine-readable members, which Anthropic and Gemini write. */
  readonly details?: JsonObject | readonly JsonObject[];
  readonly headers?: ErrorHeaders;
  /** The rule of the judge that the request breaks. */
  readonly rule?: string;
  /** Observation that would decide whether it does; otherwise it is certain. */
  readonly decidedBy?: string;
}

/** The pipeline sends the error as its provider does; `options` become members of the failure. */
export function mistake(
  status: number,
  message: string,
  { headers, ...members }: MistakeOptions = {},
): HttpError {
  return new HttpError(status, message, { body: members, ...(headers && { headers }) });
}
