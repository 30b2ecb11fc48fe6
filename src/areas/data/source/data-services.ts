/** The services that requests to records use, once for all areas of data. */

import { oncePer } from '#base/once-per.js';
import type { Limits, Runtime, Sandboxes, Services } from '#kit/services.js';

export interface DataServices
  extends Pick<Limits, 'held'>,
    Pick<Runtime, 'onClose'>,
    Pick<Sandboxes, 'dueWork'> {}

export const dataServicesOf = oncePer(
  ({ limits: { held }, runtime: { onClose }, sandboxes: { dueWork } }: Services): DataServices => ({
    held,
    onClose,
    dueWork,
  }),
);
