/** Files that are uploaded at once, listed, read back and deleted. */

import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { readBody, rejectContentEncoding } from '../../../http/request-body.js';
import { contentDisposition } from '../../../http/sending/content-disposition.js';
import { sendBytes } from '../../../http/sending/send-bytes.js';
import { checkSettableHeaders } from '../../../http/settable-headers.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import type { Sandbox } from '../../../state/state.js';
import { describeFile } from './describe-file.js';
import {
  addFile,
  appendPiece,
  checkContent,
  findFile,
  finishFile,
  listFiles,
  lockFile,
  pieceBytes,
  readFile,
  removeFile,
  type StoredFile,
  unlockFile,
} from './files.js';
import { parseUpload } from './parse-upload.js';

type OfFile = Request<{ Params: { id: string } }>;

const maxSentBytes = 10 * 1024 * 1024;

export const whatIsKept = 'Uploads are kept in';

export function uploadHandlers(services: Services) {
  const { baseUrlOf, clock, held } = services;
  const sandboxOf = (request: Request) => ownSandbox(services, request, whatIsKept);

  return {
    async add(request: Request, reply: Reply) {
      const sandbox = sandboxOf(request);
      rejectContentEncoding(request.headers['content-encoding']);
      const body = await readBody(request, maxSentBytes);
      const { name, type, bytes } = await parseUpload(request, body.bytes);
      const createdAtMs = clock();
      const size = bytes.length;
      const file = await addFile(sandbox, { name, type, size, metadata: null, createdAtMs });
      const stored = await store(sandbox, file, bytes);
      const baseUrl = baseUrlOf(request);
      reply.code(201).header('location', `${baseUrl}/api/http/uploads/${file.id}`);
      return describeFile(stored, baseUrl);
    },

    async list(request: Request) {
      const files = await listFiles(sandboxOf(request));
      return files.map((file) => describeFile(file, baseUrlOf(request)));
    },

    async show(request: OfFile) {
      const file = await findFile(sandboxOf(request), request.params.id);
      return describeFile(file, baseUrlOf(request));
    },

    async give(request: OfFile, reply: Reply) {
      const sandbox = sandboxOf(request);
      const file = await findFile(sandbox, request.params.id);
      if (file.sha256 === null) throw notWhole(file);
      await checkContent(sandbox, file);
      reply
        .headers(isolatingHeaders)
        .header('cache-control', 'private, no-cache')
        .header('content-disposition', contentDisposition('inline', file.name));
      const bytes = {
        size: file.size,
        contentType: shownType(file.type),
        entityTag: `"${Buffer.from(file.sha256, 'hex').toString('base64url').slice(0, 22)}"`,
        lastModifiedMs: file.createdAtMs,
        slices: (range: Parameters<typeof readFile>[2]) => readFile(sandbox, file, range),
      };
      return sendBytes(request, reply, bytes, { held });
    },

    async remove(request: OfFile, reply: Reply) {
      const sandbox = sandboxOf(request);
      const { id } = await findFile(sandbox, request.params.id);
      await removeFile(sandbox, id);
      reply.code(204);
      return null;
    },

    async clear(request: Request, reply: Reply) {
      const sandbox = sandboxOf(request);
      for (const { id } of await listFiles(sandbox)) await removeFile(sandbox, id);
      reply.code(204);
      return null;
    },
  };
}

/** Keeps bytes that are all here; what cannot be kept whole is not kept at all. */
async function store(sandbox: Sandbox, file: StoredFile, bytes: Buffer): Promise<StoredFile> {
  try {
    const token = await lockFile(sandbox, file.id, 0);
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      await appendPiece(sandbox, file.id, token, bytes.subarray(start, start + pieceBytes));
    }
    return await finishFile(sandbox, await unlockFile(sandbox, file.id, token));
  } catch (error) {
    await removeFile(sandbox, file.id);
    throw error instanceof HttpError && error.status === 404 ? deletedMeanwhile() : error;
  }
}

function deletedMeanwhile(): HttpError {
  return new HttpError(
    409,
    'The upload was deleted while it was being kept, or its bytes made room for those of others. Send it again.',
  );
}

/** A type by which a page of this origin could load the file as its script or style is told as bytes. */
function shownType(type: string): string {
  const faults = checkSettableHeaders({ 'content-type': type }, 'type');
  return faults.length === 0 ? type : 'application/octet-stream';
}

function notWhole({ offset, size }: StoredFile): HttpError {
  return new HttpError(
    409,
    `Of this upload ${offset} of ${size} bytes have come. Send the others first.`,
  );
}
