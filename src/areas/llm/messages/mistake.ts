/** Errors in the format of a provider. */

import type { JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
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

/** A mistake in a field, whose path begins the message. */
export const invalid = (path: string, message: string, options?: MistakeOptions): HttpError =>
  mistake(400, `${path} ${message}`, { ...options, param: path });

export function reject(path: string, message: string, options?: MistakeOptions): never {
  throw invalid(path, message, options);
}

/** Types of JSON in messages. */
export const typeNames: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** Returns paths such as `messages[0].content`. Names may have been chosen by the caller, so they are cut. */
export const pathsOf =
  (maxLength: number, nameOf = (name: string) => name) =>
  (path: string, step: string | number): string => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = cutText(nameOf(step), maxLength);
    return path === '' ? name : `${path}.${name}`;
  };

/** The pipeline sends the error as its provider does; `options` become members of the failure. */
export function mistake(
  status: number,
  message: string,
  { headers, ...members }: MistakeOptions = {},
): HttpError {
  return new HttpError(status, message, { body: members, ...(headers && { headers }) });
}
