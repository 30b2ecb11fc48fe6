/** The part of the area that its first request loads. */

import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Offered } from '#kit/offers/offers.js';
import { subscriptionsToken } from '#kit/offers/subscriptions.js';
import type { Services } from '#kit/services.js';
import { findingsEndpoints } from './judge/findings.js';
import { webhookOperations } from './objects/webhook-endpoints.js';
import { operations } from './operations.js';
import { customerPages } from './pages/customer-pages.js';
import { indexPage } from './pages/index-page.js';
import { planEndpoints } from './plan/plan-endpoints.js';
import { apiEndpoints, servedOperations } from './serve.js';
import { shapeFailure, unrecognized } from './wire/errors.js';
import { guideOf, pathOf } from './wire/request-facts.js';

export { paymentsJudge } from './judge/findings.js';
export { observeRecord } from './plan/observe-record.js';
export { planJudge } from './plan/plan-endpoints.js';

export async function endpoints(
  { sandboxes }: Services,
  offered: Offered,
): Promise<readonly Endpoint[]> {
  const subscriptions = await offered.one(subscriptionsToken);
  const steered = subscriptions === undefined ? {} : webhookOperations(subscriptions);
  const offers = servedOperations().filter(
    ({ name }) => operations[name] !== undefined || steered[name] !== undefined,
  );
  return [
    indexPage(offers.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)),
    ...findingsEndpoints,
    ...planEndpoints,
    ...customerPages(sandboxes),
    ...apiEndpoints(steered),
  ];
}

export function shape(request: Request, failure: Failure): ShapedFailure {
  const guide = guideOf(request);
  const isUnknown = request.route === undefined && failure.status === 404;
  if (!isUnknown) return shapeFailure(guide, failure);
  const { status, error } = unrecognized(request.method, pathOf(request));
  return shapeFailure(guide, { ...failure, status, error: error as never });
}
