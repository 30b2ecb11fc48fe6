import { HttpError } from '../../http/http-error.js';

/** 429 with the seconds to wait, in Retry-After and in the body; `message` is completed by them. */
export function tooManyRequests(message: string, seconds: number): HttpError {
  return new HttpError(429, `${message} Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
    body: { retryAfter: seconds },
  });
}
