import { OAuthError } from '../../http/oauth/oauth-error.js';

/** An error that the authorization endpoint sends to the client, at its redirect URI (RFC 6749 section 4.1.2.1). */
export class RejectedRequest extends OAuthError {}

/** Rejects a request as malformed. */
export function rejected(message: string): RejectedRequest {
  return new RejectedRequest('invalid_request', message);
}
