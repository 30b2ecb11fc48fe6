/** Objects that all parts of the area share in a process. */

import type { CollectionName } from '../../../data/records.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Services } from '../../../kit/area.js';
import type { Dataset, Row } from '../../../state/rows/dataset.js';

export interface McpParts {
  readonly services: Services;
  readonly datasetOf: (name: CollectionName) => Dataset<Row>;
  readonly mac: KeyedMac;
}
