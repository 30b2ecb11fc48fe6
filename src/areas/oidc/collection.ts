/** What collections of requests have to know of the issuer. */

import type { RequestCollection } from '../../server/request-collection.js';

export const oidcCollection: RequestCollection = {};
