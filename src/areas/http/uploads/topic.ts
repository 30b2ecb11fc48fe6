/** Uploads: files that a sandbox keeps, sent at once or resumably, and read back in ranges. */

import { member } from '../../../kit/request-collection.js';
import type { Topic } from '../topic.js';
import * as files from './file-endpoints.js';
import * as tus from './tus-endpoints.js';

const upload = { path: { id: '{{uploadId}}' } };
const byClients =
  'A tus client sends it with values of the response before; it is no request by itself.';

export const uploadsTopic: Topic = {
  name: 'uploads',
  title: 'Uploads',
  // The list itself belongs to a sandbox of one's own.
  start: `/s/demo${files.path}`,
  summary: 'Files by form, as bodies, and resumably by tus.',
  collection: {
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
  },
  fixedHeaders: [{ below: tus.tusPath, values: { 'tus-resumable': '1.0.0' } }],
  endpoints: ({ clock, held }) => [
    files.add(clock),
    files.list,
    files.clear,
    files.show,
    files.remove,
    files.getContent(held),
    tus.getCapabilities,
    tus.create(clock),
    tus.getOffset,
    tus.append,
    tus.end,
    tus.override,
  ],
};
