/** A planned failure of an OAuth endpoint: RFC 6749 section 5.2, and section 4.1.2.1 for failures of a server. */

import type { Request } from '../../../http/exchange.js';
import { errorBody, jsonContentType, type ShapedFailure } from '../../../http/http-error.js';
import type { PlannedFailure } from '../../../kit/area.js';
import { noStore } from './oauth-error.js';

export function shapeFailure(
  { route }: Request,
  { status, message }: PlannedFailure,
): ShapedFailure | undefined {
  if (!route?.path.startsWith('/api/auth/oauth/')) return undefined;
  const error = { error: codeOf(status), error_description: message };
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
