/** Errors of the OAuth endpoints (RFC 6749 section 5.2) inside the error shape of this service. */

import { basicChallenge } from '../../../http/credentials/basic-challenge.js';
import { HttpError } from '../../../http/http-error.js';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** 401 with a challenge for a client that is not authenticated, else 400. */
export function oauthError(code: OAuthErrorCode, message: string): HttpError {
  const isClient = code === 'invalid_client';
  return new HttpError(isClient ? 401 : 400, message, {
    headers: { ...noStore, ...(isClient && { 'www-authenticate': basicChallenge }) },
    // The description may hold neither quotes nor backslashes nor anything beyond ASCII.
    body: { error: code, error_description: message.replaceAll('"', "'") },
  });
}
