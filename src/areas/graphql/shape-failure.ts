/** A planned failure as GraphQL over HTTP has errors: of the media type that the client takes. */

import type { Request } from '../../http/exchange.js';
import type { ShapedFailure } from '../../http/http-error.js';
import type { Failure } from '../../kit/area.js';
import { chooseMediaType, decideResponse } from './request/decide-response.js';
import { errorsBody, requestError } from './request/format-error.js';

export function shapeFailure({ headers }: Request, { status, message }: Failure): ShapedFailure {
  const mediaType = chooseMediaType(headers.accept);
  const code =
    status === 503 ? 'STATE_UNAVAILABLE' : status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST';
  return {
    contentType: decideResponse(mediaType, 'executed').contentType,
    body: errorsBody([requestError(code, message)]),
  };
}
