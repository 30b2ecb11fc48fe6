/** Services that the endpoints share. */

import type { Services } from '../../kit/area.js';
import type { DatasetOf } from '../../state/rows/datasets-of.js';

export interface LlmParts {
  readonly services: Services;
  readonly datasetOf: DatasetOf;
}
