/** Endpoints that steer the server, and report on its clients. */

import type { Endpoint } from '#kit/endpoint.js';
import type { McpParts } from '../model/parts.js';
import { askedPageEndpoints } from './asked-page-endpoints.js';
import { canaryEndpoint } from './canary-endpoint.js';
import { findingsEndpoints } from './findings-endpoints.js';
import { metadataEndpoint } from './metadata-endpoint.js';
import { planEndpoints } from './plan-endpoints.js';
import { settingsEndpoints } from './settings-endpoints.js';

export function controlEndpoints(parts: McpParts): readonly Endpoint[] {
  const { issuer } = parts.offered;
  return [
    ...settingsEndpoints(parts),
    ...findingsEndpoints,
    ...planEndpoints(parts),
    ...(issuer === undefined ? [] : [metadataEndpoint(issuer)]),
    canaryEndpoint,
    ...askedPageEndpoints,
  ];
}
