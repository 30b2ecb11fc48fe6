/** The part of the area that its first request loads. */

import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { datasetsOf } from '#state/rows/datasets-of.js';
import { findingsEndpoints } from './control/findings-endpoints.js';
import { planEndpoints } from './control/plan-endpoints.js';
import { scriptEndpoints } from './control/script-endpoints.js';
import { providerEndpoints, providerOf } from './endpoints.js';
import { requestIdOf } from './messages/request-id.js';
import { describeLab } from './page/index-endpoint.js';

export { planJudge, rulesJudge } from './control/judges.js';

export function endpoints({ runtime, limits, sandboxes }: Services): readonly Endpoint[] {
  const services = { ...runtime, ...limits };
  return [
    describeLab,
    ...scriptEndpoints,
    ...findingsEndpoints,
    ...planEndpoints,
    ...providerEndpoints({ services, datasetOf: datasetsOf(sandboxes.datasets) }),
  ];
}

/** Writes failures as the provider of the path does. */
export function shape(request: Request, failure: Failure): ShapedFailure | undefined {
  const provider = providerOf(request);
  if (provider === undefined) return undefined;
  const body = JSON.stringify(provider.errorBody(failure, request, requestIdOf(request)));
  return { contentType: 'application/json; charset=utf-8', body };
}
