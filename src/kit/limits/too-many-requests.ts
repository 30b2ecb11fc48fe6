import { HttpError } from '#http/http-error.js';

/** Makes a 429 with the seconds to wait in Retry-After, the body, and the message. */
export function tooManyRequests(message: string, seconds: number): HttpError {
  return new HttpError(429, `${message} Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
    body: { retryAfter: seconds },
  });
}
