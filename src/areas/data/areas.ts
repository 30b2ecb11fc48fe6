/** The collections of this service, and those that callers bring along. */

import { ownDataArea } from './own/own-area.js';
import { resourcesArea } from './routes/routes.js';

export const resourceAreas = [resourcesArea, ownDataArea] as const;
