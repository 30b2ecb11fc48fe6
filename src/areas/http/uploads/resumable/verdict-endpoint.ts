/** The requests of resumable uploads, and the verdicts on their client. */

import { Type } from 'typebox';
import { failures } from '#http/schemas/error-schema.js';
import { nullableText, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Judge } from '#kit/verdict/judge.js';
import { verdictSchema } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import { resumablePath } from './resumable-endpoints.js';
import { logKey, uploadRequests } from './upload-requests.js';
import { judgeUploads, uploadRules } from './upload-rules.js';

const readRequests = async (sandbox: Sandbox) => {
  const entries = await sandbox.log(uploadRequests, logKey).newest(uploadRequests.maxEntries);
  return entries.map(({ item }) => item).reverse();
};

/** All uploads of the sandbox, for the page of verdicts. */
export const uploadJudge: Judge = {
  name: 'resumable',
  title: 'Resumable uploads',
  says: 'Requests that create, append to and resume an upload by the draft of the IETF.',
  guide: 'http/uploads',
  log: `${resumablePath}/requests`,
  rules: uploadRules,
  read: async (sandbox) => ({ verdicts: judgeUploads(await readRequests(sandbox)) }),
  async clear(sandbox) {
    await sandbox.log(uploadRequests, logKey).clear();
  },
};

export const listRequests = endpoint('GET', `${resumablePath}/requests`, {
  summary: 'List requests of resumable uploads, with verdicts',
  description: 'Lists the newest 200 of your sandbox, the first served first.',
  query: openExceptTypos({ upload: optionalText('The id of an upload. Default: all uploads.') }),
  responses: {
    200: Type.Object({
      requests: Type.Array(
        Type.Object({
          at: text('By the clock of the sandbox.'),
          method: Type.String(),
          upload: nullableText('The id of the upload; null if none was created.'),
          status: Type.Integer(),
          offset: Type.Union([Type.Integer(), Type.Null()], { description: 'Upload-Offset.' }),
          complete: Type.Union([Type.Boolean(), Type.Null()], { description: 'Upload-Complete.' }),
          interrupted: Type.Boolean({ description: 'Whether the content ended early.' }),
          requestId: Type.String(),
        }),
      ),
      verdicts: Type.Array(verdictSchema),
    }),
    ...failures(403),
  },
  async handle(request) {
    const sandbox = ownSandbox(request, 'Recorded uploads need');
    const { upload } = request.query;
    const all = await readRequests(sandbox);
    const requests = all.filter((each) => upload === undefined || each.upload === upload);
    return {
      requests: requests.map((each) => ({
        at: new Date(each.atMs).toISOString(),
        method: each.method,
        upload: each.upload,
        status: each.status,
        offset: each.offset ?? null,
        complete: each.isComplete ?? null,
        interrupted: each.isInterrupted ?? false,
        requestId: each.requestId,
      })),
      verdicts: judgeUploads(requests),
    };
  },
});
