/** A planned failure of the issuer, as RFC 6749 sections 4.1.2.1 and 5.2 tell one. */

import type { Request } from '../../http/exchange.js';
import { errorBody, jsonContentType, type ShapedFailure } from '../../http/http-error.js';
import type { PlannedFailure } from '../../kit/area.js';
import { noStore, oauthBody } from './oauth-error.js';

export function shapeFailure(
  { route }: Request,
  { status, message }: PlannedFailure,
): ShapedFailure | undefined {
  if (!route?.path.startsWith('/oidc/')) return undefined;
  const error = oauthBody(codeOf(status), message);
  return {
    contentType: jsonContentType,
    headers: noStore,
    body: JSON.stringify(errorBody(status, message, error)),
  };
}

function codeOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 401 ? 'invalid_client' : 'invalid_request';
}
