/** The part of the area that its first request loads. */

import { keyedMac } from '#http/credentials/keyed-mac.js';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Offered } from '#kit/offers/offers.js';
import { tagRecordToken, writeRecordToken } from '#kit/offers/steering.js';
import type { Services } from '#kit/services.js';
import { datasetsOf } from '#state/rows/datasets-of.js';
import { methodEndpoints } from './calls/method-endpoints.js';
import { planEndpoints } from './control/plan.js';
import { controlEndpoints } from './control/settings-endpoints.js';
import { ofHttpFailure } from './messages/details.js';
import { writeFailure } from './messages/failures.js';
import { formOfRequest } from './messages/forms.js';
import type { GrpcParts } from './model/parts.js';
import { pageEndpoints } from './page/page-endpoints.js';
import { allMethods } from './services/all-services.js';
import { suggestMethod } from './services/suggest-method.js';

export { planJudge, rulesJudge } from './control/plan.js';

const methods = allMethods();
const paths: ReadonlySet<string> = new Set(methods.map(({ path }) => path));

export async function endpoints(
  services: Services,
  offered: Offered,
): Promise<readonly Endpoint[]> {
  return [
    ...pageEndpoints(methods),
    ...planEndpoints,
    ...controlEndpoints,
    ...methodEndpoints(methods, await partsOf(services, offered)),
  ];
}

async function partsOf(
  { runtime, limits, sandboxes }: Services,
  offered: Offered,
): Promise<GrpcParts> {
  const write = offered.one(writeRecordToken);
  const tag = offered.one(tagRecordToken);
  return {
    ...{ held: limits.held, bodies: limits.bodies },
    ...{ isReady: runtime.isReady, reportFailure: runtime.reportFailure },
    datasetOf: datasetsOf(sandboxes.datasets),
    records: write && tag && { write, tag },
    mac: keyedMac(await runtime.signingKey('grpc', undefined)),
  };
}

/** Statuses that unknown paths have, and paths of other areas. */
const elsewhere: readonly number[] = [404, 405, 415];

export function shape(request: Request, failure: Failure): ShapedFailure | undefined {
  const form = formOfRequest(request);
  const isKnown = paths.has(request.route?.path ?? '');
  // A request that no client of the protocol sends gets the common format.
  const isForeign = isKnown && (failure.status === 415 || failure.status === 405);
  if (form === undefined || isForeign) return undefined;
  const isUnknown = !isKnown && elsewhere.includes(failure.status);
  return writeFailure(form, isUnknown ? suggestMethod(methods, request) : ofHttpFailure(failure));
}
