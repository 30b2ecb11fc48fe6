/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import type { Offered } from '#kit/offers/offers.js';
import type { Services } from '#kit/services.js';
import { judgeDeliveryToken } from '#kit/verdict/delivery-verdict.js';
import { changeBin, createBin, deleteBin, listBins, readBin } from './bin-endpoints.js';
import { binFinder } from './bins.js';
import { captureEndpoints } from './capture-endpoints.js';
import { capturingEndpoints } from './capturing-endpoints.js';

export { binSteering } from './bin-endpoints.js';

export async function endpoints(
  { limits, sandboxes }: Services,
  offered: Offered,
): Promise<readonly Endpoint[]> {
  const findBin = binFinder(sandboxes);
  return [
    createBin,
    listBins,
    readBin(findBin),
    changeBin(findBin),
    deleteBin(findBin),
    ...captureEndpoints(findBin, limits.held),
    ...capturingEndpoints(sandboxes, await offered.one(judgeDeliveryToken)),
  ];
}
