/** The part of the area that its first request loads. */

import { valuesIn } from '#config/setting.js';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { endOperation, reserveStream, runPosted, runQuery } from './endpoints.js';
import { errorsBody, requestError } from './outcome/format-error.js';
import { chooseMediaType, decideResponse } from './request/decide-response.js';
import { Responder } from './responder.js';
import { graphqlSettings } from './settings.js';

export function endpoints(services: Services): readonly Endpoint[] {
  const { introspection, subscriptions } = valuesIn(services.runtime.config, graphqlSettings);
  const hasSubscriptions = subscriptions === 'on';
  const responder = new Responder(services, introspection === 'on', hasSubscriptions);
  const always = [runPosted(responder), runQuery(responder)];
  return hasSubscriptions ? [...always, reserveStream, endOperation] : always;
}

/**
 * Writes a planned failure as a GraphQL over HTTP error, in the media type that the client accepts.
 */
export function shape({ headers }: Request, { status, message }: Failure): ShapedFailure {
  const mediaType = chooseMediaType(headers.accept);
  const code =
    status === 503 ? 'STATE_UNAVAILABLE' : status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST';
  return {
    contentType: decideResponse(mediaType, 'executed').headers['content-type'],
    body: errorsBody([requestError(code, message)]),
  };
}
