/** Errors of OAuth endpoints (RFC 6749 section 5.2) inside the error shape of this service. */

import { basicChallenge } from '../credentials/challenge.js';
import { errorBody, HttpError, jsonContentType, type ShapedFailure } from '../http-error.js';

export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** 401 with a challenge for a client that is not authenticated, else 400. */
export class OAuthError extends HttpError {
  readonly code: string;

  constructor(code: string, message: string) {
    const isClient = code === 'invalid_client';
    super(isClient ? 401 : 400, message, {
      headers: { ...noStore, ...(isClient && { 'www-authenticate': basicChallenge }) },
      body: oauthBody(code, message),
    });
    this.code = code;
  }
}

export function invalidRequest(message: string): OAuthError {
  return new OAuthError('invalid_request', message);
}

/**
 * An error that the authorization endpoint sends to the client's redirect URI (RFC 6749 section
 * 4.1.2.1).
 */
export class RejectedRequest extends OAuthError {}

export function rejected(message: string, code = 'invalid_request'): RejectedRequest {
  return new RejectedRequest(code, message);
}

export function oauthBody(code: string, message: string) {
  return { error: code, error_description: plain(message) };
}

/** Removes quotes, backslashes and non-ASCII characters from a description. */
export function plain(message: string): string {
  return message
    .replaceAll('"', "'")
    .replaceAll('…', '...')
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}

/** Writes a failure of a fault plan (sections 4.1.2.1 and 5.2). */
export function shapeOAuthFailure(status: number, message: string): ShapedFailure {
  const body = errorBody(status, message, oauthBody(codeOf(status), message));
  return { contentType: jsonContentType, headers: noStore, body: JSON.stringify(body) };
}

function codeOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 401 ? 'invalid_client' : 'invalid_request';
}
