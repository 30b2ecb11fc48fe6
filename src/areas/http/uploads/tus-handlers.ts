/** Resumable uploads by tus 1.0: the core, and its extensions creation, termination and checksum. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { gotValue } from '../../../base/text/got-value.js';
import { bodyPieces } from '../../../http/body/body-pieces.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { mediaType, readBody, typeNotTaken } from '../../../http/request-body.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import type { Sandbox } from '../../../state/state.js';
import { describeFile } from './describe-file.js';
import {
  addFile,
  appendPiece,
  beyondEnd,
  findFile,
  finishFile,
  lockFile,
  maxTotalBytes,
  pieceBytes,
  removeFile,
  unlockFile,
} from './files.js';
import { parseMetadata } from './parse-metadata.js';
import { checkName, checkType } from './parse-upload.js';
import { whatIsKept } from './upload-handlers.js';

type OfUpload = Request<{ Params: { id: string } }>;

const version = '1.0.0';
const offsetType = 'application/offset+octet-stream';
const checksums = ['sha1', 'sha256', 'sha512', 'md5'] as const;
const maxCheckedBytes = 10 * 1024 * 1024;

const capabilities = {
  'tus-version': version,
  'tus-extension': 'creation,termination,checksum',
  'tus-max-size': String(maxTotalBytes),
  'tus-checksum-algorithm': checksums.join(','),
};

export function tusHandlers(services: Services) {
  const { baseUrlOf, clock } = services;
  const sandboxOf = (request: Request) => ownSandbox(services, request, whatIsKept);

  async function append(request: OfUpload, reply: Reply) {
    checkVersion(request);
    const { id } = request.params;
    const sandbox = sandboxOf(request);
    const type = request.headers['content-type'];
    if (mediaType(type) !== offsetType) throw typeNotTaken(type, `Content-Type: ${offsetType}`);
    const offset = wholeNumber(request, 'upload-offset');
    const checksum = checksumOf(request);
    const { size } = await findFile(sandbox, id);
    const announced = Number(request.headers['content-length'] ?? 0);
    const token = await lockFile(sandbox, id, offset);
    try {
      // Rejected before any of it is kept; a body of unknown length is when it goes beyond.
      if (offset + announced > size) throw beyondEnd(size);
      if (checksum === undefined) await keepAsItComes(sandbox, id, token, request);
      else await keepChecked(sandbox, id, token, request, checksum);
    } finally {
      await unlockFile(sandbox, id, token).catch(() => {});
    }
    const file = await findFile(sandbox, id);
    if (file.offset === file.size && file.sha256 === null) await finishFile(sandbox, file);
    reply.code(204).header('upload-offset', String(file.offset));
    return null;
  }

  async function end(request: OfUpload, reply: Reply) {
    checkVersion(request);
    const sandbox = sandboxOf(request);
    const { id } = await findFile(sandbox, request.params.id);
    await removeFile(sandbox, id);
    reply.code(204);
    return null;
  }

  return {
    async capabilities(_request: Request, reply: Reply) {
      reply.code(204).headers(capabilities);
      return null;
    },

    async create(request: Request, reply: Reply) {
      checkVersion(request);
      const sandbox = sandboxOf(request);
      if (request.headers['upload-defer-length'] !== undefined) throw noDeferring();
      const size = wholeNumber(request, 'upload-length');
      const metadata = singleHeader(request, 'upload-metadata') ?? null;
      const values = parseMetadata(metadata ?? '');
      const name = checkName(values.get('filename') ?? values.get('name') ?? 'upload');
      const type = checkType(values.get('filetype') ?? values.get('type') ?? '');
      const file = await addFile(sandbox, { name, type, size, metadata, createdAtMs: clock() });
      const made = size === 0 ? await finishFile(sandbox, file) : file;
      const baseUrl = baseUrlOf(request);
      reply.code(201).header('location', `${baseUrl}/api/http/uploads/tus/${file.id}`);
      return describeFile(made, baseUrl);
    },

    async tell(request: OfUpload, reply: Reply) {
      checkVersion(request);
      const { offset, size, metadata } = await findFile(sandboxOf(request), request.params.id);
      reply.headers({ 'upload-offset': String(offset), 'upload-length': String(size) });
      if (metadata !== null) reply.header('upload-metadata', metadata);
      return Buffer.alloc(0);
    },

    append,
    end,

    /** For clients that can send no other method than POST. */
    async override(request: OfUpload, reply: Reply) {
      const method = singleHeader(request, 'x-http-method-override')?.toUpperCase();
      if (method === 'PATCH') return append(request, reply);
      if (method === 'DELETE') return end(request, reply);
      throw new HttpError(
        400,
        'POST to an upload needs X-HTTP-Method-Override: PATCH or DELETE. Those methods work by themselves, too.',
      );
    },
  };
}

/** What has come is kept, also when the client leaves in the middle: that is what tus is for. */
async function keepAsItComes(sandbox: Sandbox, id: string, token: string, request: Request) {
  for await (const piece of bodyPieces(request, pieceBytes)) {
    await appendPiece(sandbox, id, token, piece);
  }
}

interface Checksum {
  readonly algorithm: (typeof checksums)[number];
  readonly digest: Buffer;
}

/** Nothing is kept of a body that is not what its checksum says. */
async function keepChecked(
  sandbox: Sandbox,
  id: string,
  token: string,
  request: Request,
  { algorithm, digest }: Checksum,
) {
  const { bytes } = await readBody(request, maxCheckedBytes);
  const actual = createHash(algorithm).update(bytes).digest();
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) {
    throw new HttpError(
      460,
      `The body's ${algorithm} is ${actual.toString('base64')}, which is not what Upload-Checksum says.`,
      {
        body: { error: 'Checksum Mismatch' },
      },
    );
  }
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    await appendPiece(sandbox, id, token, bytes.subarray(start, start + pieceBytes));
  }
}

function checksumOf(request: Request): Checksum | undefined {
  const header = singleHeader(request, 'upload-checksum');
  if (header === undefined) return undefined;
  const [, name, digest = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header.trim()) ?? [];
  const algorithm = checksums.find((each) => each === name?.toLowerCase());
  if (algorithm === undefined) {
    throw new HttpError(
      400,
      `Upload-Checksum must be one of ${checksums.join(', ')}, a space and the digest in base64.`,
    );
  }
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

function checkVersion(request: Request): void {
  const given = singleHeader(request, 'tus-resumable');
  if (given === version) return;
  const said = given === undefined ? 'is missing' : `is ${JSON.stringify(given.slice(0, 50))}`;
  throw new HttpError(412, `Tus-Resumable ${said}. Send Tus-Resumable: ${version}.`, {
    headers: { 'tus-version': version },
  });
}

function wholeNumber(request: Request, name: string): number {
  const value = singleHeader(request, name);
  if (value !== undefined && /^\d{1,15}$/.test(value)) return Number(value);
  const shown = name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  throw new HttpError(
    400,
    `${shown} must be an integer of bytes, 0 or more${gotValue(shown, value)}.`,
  );
}

function noDeferring(): HttpError {
  return new HttpError(
    400,
    'The length of an upload must be known when it is made: send Upload-Length. (The extension creation-defer-length is not there.)',
  );
}
