/** The part of the area that its first request loads. */

import { keyedMac } from '#http/credentials/keyed-mac.js';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import { issuerToken } from '#kit/offers/issuer.js';
import type { Offered } from '#kit/offers/offers.js';
import { binsToken, planFaultsToken, writeRecordToken } from '#kit/offers/steering.js';
import type { Services } from '#kit/services.js';
import { datasetsOf } from '#state/rows/datasets-of.js';
import { controlEndpoints } from './control/control-endpoints.js';
import { mcpEndpoints, protocolPaths } from './endpoints/endpoints.js';
import { receivedId } from './exchange/receive-body.js';
import { errorMessage } from './messages/message.js';
import { codes, RpcError } from './messages/rpc-error.js';
import type { McpParts } from './model/parts.js';

export { planJudge, rulesJudge } from './control/judges.js';
export { receiveBody } from './exchange/receive-body.js';

export async function endpoints(
  services: Services,
  offered: Offered,
): Promise<readonly Endpoint[]> {
  const parts = await partsOf(services, offered);
  return [...controlEndpoints(parts), ...mcpEndpoints(parts)];
}

async function partsOf(
  { runtime, limits, sandboxes }: Services,
  offered: Offered,
): Promise<McpParts> {
  return {
    services: { ...runtime, ...limits },
    offered: {
      issuer: await offered.one(issuerToken),
      planFaults: await offered.one(planFaultsToken),
      writeRecord: offered.one(writeRecordToken),
      bins: await offered.one(binsToken),
    },
    datasetOf: datasetsOf(sandboxes.datasets) as McpParts['datasetOf'],
    mac: keyedMac(await runtime.signingKey('mcp', undefined)),
  };
}

/** Writes failures of the service as JSON-RPC errors, except at endpoints that are REST. */
export function shape(request: Request, { status, message }: Failure): ShapedFailure | undefined {
  const { route, method } = request;
  if (route !== undefined && (method === 'PUT' || !protocolPaths.includes(route.path))) {
    return undefined;
  }
  const code = status >= 500 ? codes.internal : codes.invalidRequest;
  const body = JSON.stringify(errorMessage(receivedId(request), new RpcError(code, message)));
  return { contentType: 'application/json; charset=utf-8', body };
}
