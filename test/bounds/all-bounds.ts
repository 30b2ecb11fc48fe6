/** The table of bounds, by area. */

import type { Bound } from './bound.js';
import { dataBounds } from './data.js';
import { deliveryBounds } from './deliveries.js';
import { httpBounds } from './http.js';
import { identityBounds } from './identity.js';
import { llmBounds } from './llm.js';
import { protocolBounds } from './protocols.js';
import { recordBounds } from './records.js';
import { sandboxBounds } from './sandbox.js';

export const allBounds: Readonly<Record<string, readonly Bound[]>> = {
  HTTP: httpBounds,
  sandboxes: sandboxBounds,
  data: dataBounds,
  records: recordBounds,
  protocols: protocolBounds,
  deliveries: deliveryBounds,
  identity: identityBounds,
  'language models': llmBounds,
};
