/** What collections of requests have to know of signed messages. */

import type { RequestCollection } from '../../kit/request-collection.js';

const needsSignature = 'It wants a signature over each request, which such a file cannot make.';

export const signatureCollection: RequestCollection = {
  leftOut: { getAuthSignature: needsSignature, postAuthSignature: needsSignature },
};
