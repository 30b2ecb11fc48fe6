/** Objects that all parts of the area share in a process. */

import type { CollectionName, Datasets } from '../../data/records.js';
import type { KeyedMac } from '../../http/credentials/keyed-mac.js';
import type { HeldRequests } from '../../http/held-requests.js';
import type { Services } from '../../kit/area.js';
import type { Dataset, Row } from '../../state/rows/dataset.js';

export interface McpParts {
  readonly services: Services;
  readonly datasets: Pick<Datasets, CollectionName>;
  readonly datasetOf: (name: CollectionName) => Dataset<Row>;
  readonly mac: KeyedMac;
  /** Calls of sessions, which continue when their connection ends. */
  readonly detached: HeldRequests;
}
