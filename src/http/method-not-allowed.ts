import { HttpError } from './http-error.js';

/** Makes the 405 of a method that a known path does not support, with `Allow`: RFC 9110 section 15.5.6. */
export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const allow = allowed.join(', ');
  const message = `${method} is not supported here. This path supports ${allow}.`;
  return new HttpError(405, message, { headers: { allow } });
}
