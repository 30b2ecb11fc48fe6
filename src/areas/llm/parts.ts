/** Services that the endpoints share. */

import type { Limits, Runtime } from '../../kit/services.js';
import type { DatasetOf } from '../../state/rows/datasets-of.js';

export interface LlmParts {
  readonly services: Pick<Limits, 'held'> & Pick<Runtime, 'reportFailure'>;
  readonly datasetOf: DatasetOf;
}
