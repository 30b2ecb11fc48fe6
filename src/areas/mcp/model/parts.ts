/** Objects that all parts of the area share in a process. */

import type { CollectionName } from '#data/records.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import type { BinSteering, PlanFaults, WriteRecord } from '#kit/offers/steering.js';
import type { Limits, Runtime } from '#kit/services.js';
import type { Dataset, Row } from '#state/rows/dataset.js';

export interface McpParts {
  readonly services: Pick<Limits, 'held' | 'detached'> &
    Pick<Runtime, 'config' | 'listeners' | 'reportFailure'>;
  readonly offered: McpOffers;
  readonly datasetOf: (name: CollectionName) => Dataset<Row>;
  readonly mac: KeyedMac;
}

/** Offers of other areas. What needs an absent one is absent: endpoints, tools, and parts of the test plan. */
export interface McpOffers {
  readonly issuer: IssuerSteering | undefined;
  readonly planFaults: PlanFaults | undefined;
  readonly writeRecord: WriteRecord | undefined;
  readonly bins: BinSteering | undefined;
}
