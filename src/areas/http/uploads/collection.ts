/** What collections of requests have to know of uploads. */

import { member, type RequestCollection } from '../../../kit/request-collection.js';

const upload = { path: { id: '{{uploadId}}' } };
const byClients =
  'A tus client sends it with values of the response before; it is no request by itself.';

export const uploadsCollection: RequestCollection = {
  adaptations: {
    postHttpUploads: { call: 'A text', keeps: { uploadId: member('id') } },
    getHttpUploadsById: upload,
    getHttpUploadsContentById: upload,
    deleteHttpUploadsById: upload,
  },
  endings: ['deleteHttpUploadsById', 'deleteHttpUploads'],
  leftOut: {
    postHttpUploadsTus: byClients,
    headHttpUploadsTusById: byClients,
    patchHttpUploadsTusById: byClients,
    deleteHttpUploadsTusById: byClients,
    postHttpUploadsTusById: byClients,
  },
};
