/** What collections of requests have to know of data of one's own. */

import type { RequestCollection } from '../../../kit/request-collection.js';

export const ownCollections: RequestCollection = {
  endings: ['deleteMyByCollectionById', 'deleteSandboxData'],
};
