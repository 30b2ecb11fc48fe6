/** The services that methods use. */

import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import type { TagRecord, WriteRecord } from '#kit/offers/steering.js';
import type { Limits, Runtime } from '#kit/services.js';
import type { DatasetOf } from '#state/rows/datasets-of.js';

export interface RecordParts {
  readonly write: WriteRecord;
  readonly tag: TagRecord;
}

export interface GrpcParts extends Pick<Limits, 'held' | 'bodies'> {
  readonly isReady: Runtime['isReady'];
  readonly reportFailure: Runtime['reportFailure'];
  readonly datasetOf: DatasetOf;
  /** Absent without the collections. */
  readonly records: RecordParts | undefined;
  /** Signs page tokens. */
  readonly mac: KeyedMac;
}
