/** Errors of the issuer's endpoints (RFC 6749 section 5.2) inside the error shape of this service. */

import { basicChallenge } from '../../http/credentials/basic-challenge.js';
import { HttpError } from '../../http/http-error.js';

export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** 401 with a challenge for a client that is not authenticated, else 400. */
export function oauthError(code: string, message: string): HttpError {
  const isClient = code === 'invalid_client';
  return new HttpError(isClient ? 401 : 400, message, {
    headers: { ...noStore, ...(isClient && { 'www-authenticate': basicChallenge }) },
    body: oauthBody(code, message),
  });
}

/** The description may hold neither quotes nor backslashes nor anything beyond ASCII. */
export function oauthBody(code: string, message: string) {
  return { error: code, error_description: plain(message) };
}

export function plain(message: string): string {
  return message
    .replaceAll('"', "'")
    .replaceAll('…', '...')
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
