/** The table of limits of functions, by area. */

import { connectionRules } from './connections.js';
import { dataRules } from './data.js';
import { faultRules } from './faults.js';
import { httpRules } from './http.js';
import { mcpRules } from './mcp.js';
import { protocolRules } from './protocols.js';
import type { Rule } from './rule.js';
import { serviceRules } from './services.js';
import { stateRules } from './state.js';
import { waitRules } from './waits.js';

export const allRules: Readonly<Record<string, readonly Rule[]>> = {
  data: dataRules,
  HTTP: httpRules,
  protocols: protocolRules,
  services: serviceRules,
  faults: faultRules,
  MCP: mcpRules,
  connections: connectionRules,
  state: stateRules,
  'held requests': waitRules,
};
