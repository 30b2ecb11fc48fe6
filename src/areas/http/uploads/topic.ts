/** Uploads: files that a sandbox stores, sent in one request or resumably, and downloaded in ranges. */

import { fixedHeadersToken } from '#kit/offers/entries.js';
import { member } from '#kit/request-collection.js';
import { judgeToken } from '#kit/verdict/judge.js';
import type { Topic } from '../topic.js';
import * as files from './file-endpoints.js';
import * as resumable from './resumable/resumable-endpoints.js';
import { listRequests, uploadJudge } from './resumable/verdict-endpoint.js';
import * as tus from './tus-endpoints.js';

const upload = { path: { id: '{{uploadId}}' } };
const byClients = 'It needs values from the previous response, which a client of uploads has.';

export const uploadsTopic: Topic = {
  name: 'uploads',
  title: 'Uploads',
  // The list requires a private sandbox.
  start: `/s/demo${files.path}`,
  summary: 'Files in forms, as bodies, and resumable with tus or by the draft of the IETF.',
  collection: {
    adaptations: {
      postHttpUploads: { call: 'A text file', keeps: { uploadId: member('id') } },
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
      getHttpResumableById: byClients,
      patchHttpResumableById: byClients,
      deleteHttpResumableById: byClients,
    },
  },
  offers: [
    judgeToken.of(() => uploadJudge),
    fixedHeadersToken.of(() => ({ below: tus.tusPath, values: { 'tus-resumable': '1.0.0' } })),
  ],
  endpoints: ({ runtime: { clock }, limits: { held } }) => [
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
    resumable.getLimits,
    resumable.create(clock),
    listRequests,
    resumable.getOffset(clock),
    resumable.append(clock),
    resumable.cancel(clock),
  ],
};
