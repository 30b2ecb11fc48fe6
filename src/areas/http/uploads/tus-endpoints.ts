/** Resumable uploads with tus 1.0: the core protocol, and the extensions listed by getCapabilities. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import type { Clock } from '../../../base/awaitable.js';
import { gotValue } from '../../../base/text/got-value.js';
import { titleCase } from '../../../base/text/title-case.js';
import { mediaType, readBody, typeNotAccepted } from '../../../http/body/request-body.js';
import type { Fields, Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { location } from '../../../http/schemas/header-schemas.js';
import { slicesOf } from '../../../http/sending/stream-of.js';
import { optionalText, text } from '../../../kit/describe/value-schemas.js';
import { endpoint, type ResponseSchema, secret } from '../../../kit/endpoint.js';
import { bodyPieces } from './body-pieces.js';
import { formatConcat, parseConcat } from './concat-header.js';
import { describeFile, fileSchema, params, path, removeById, uploadsOf } from './file-endpoints.js';
import { parseMetadata } from './parse-metadata.js';
import { checkName, checkType } from './parse-upload.js';
import { beyondEnd, maxTotalBytes, pieceBytes } from './uploads.js';

export const tusPath = `${path}/tus`;
const uploadPath = `${tusPath}/:id`;

const version = '1.0.0';
const offsetType = 'application/offset+octet-stream';
const checksums = ['sha1', 'sha256', 'sha512', 'md5'] as const;
const maxCheckedBytes = 10 * 1024 * 1024;

const resumable = { 'Tus-Resumable': Type.Literal(version) };
const versions = { 'Tus-Version': text('The supported versions of tus.') };
const sentVersion = { 'Tus-Resumable': optionalText('The version of tus: 1.0.0.') };
const offsetHeader = { 'Upload-Offset': text('Number of bytes received.') };

/** Adds the tus version to the headers of each response; `own` are further headers, by status. */
function responding(
  expected: Readonly<Record<number, ResponseSchema>>,
  own: Readonly<Record<string, Fields>> = {},
) {
  const responses = { ...expected, ...failures(400, 403, 412) };
  const headers = Object.keys(responses).map((status) => {
    return [status, { ...resumable, ...(status === '412' && versions), ...own[status] }] as const;
  });
  return { responses, responseHeaders: Object.fromEntries(headers) };
}

export const getCapabilities = endpoint('OPTIONS', tusPath, {
  summary: 'Describe the support of tus',
  description: 'Returns versions, extensions, the maximum size and the checksum algorithms.',
  responses: { 204: Type.Null() },
  responseHeaders: {
    400: resumable,
    204: {
      ...resumable,
      ...versions,
      'Tus-Extension': text('The extensions, separated by commas.'),
      'Tus-Max-Size': text('The maximum size of an upload in bytes.'),
      'Tus-Checksum-Algorithm': text('The algorithms, separated by commas.'),
    },
  },
  handle: (_request, reply) =>
    reply
      .code(204)
      .headers({
        'tus-version': version,
        'tus-extension': 'creation,creation-defer-length,termination,checksum,concatenation',
        'tus-max-size': String(maxTotalBytes),
        'tus-checksum-algorithm': checksums.join(','),
      })
      .send(),
});

export const create = (clock: Clock) =>
  endpoint('POST', tusPath, {
    summary: 'Create a resumable upload',
    description:
      'For tus 1.0 clients. Reserves space for the whole upload if its length is known. A final upload replaces its finished partial uploads.',
    headers: {
      ...sentVersion,
      'Upload-Length': optionalText('The size in bytes.'),
      'Upload-Defer-Length': optionalText('1 if a later PATCH has the size.'),
      'Upload-Concat': optionalText(
        'partial; or final, a semicolon, and the URLs of partial uploads separated by spaces.',
      ),
      'Upload-Metadata': secret(
        optionalText(
          'Names with values in base64, separated by commas, such as filename and filetype.',
        ),
      ),
    },
    ...responding({ 201: fileSchema, ...failures(409, 413) }, { 201: location }),
    async handle(request, reply) {
      checkVersion(request);
      const uploads = uploadsOf(request);
      const concat = parseConcat(singleHeader(request, 'upload-concat'), uploadUrl(request));
      const size = sizeOf(request, typeof concat === 'object');
      const metadata = singleHeader(request, 'upload-metadata') ?? null;
      const values = parseMetadata(metadata ?? '');
      const name = checkName(values.get('filename') ?? values.get('name') ?? 'upload');
      const type = checkType(values.get('filetype') ?? values.get('type') ?? '');
      const given = { name, type, metadata, createdAtMs: clock() };
      const file =
        typeof concat === 'object'
          ? await uploads.concatenate(concat, given)
          : await uploads.add({ ...given, size, ...(concat !== undefined && { concat }) });
      const made = size === 0 ? await uploads.finish(file) : file;
      reply.code(201).header('location', `${uploadUrl(request)}/${file.id}`);
      return describeFile(made, request);
    },
  });

export const getOffset = endpoint('HEAD', uploadPath, {
  summary: 'Get the offset of a resumable upload',
  description: 'The upload continues at this offset.',
  params,
  headers: sentVersion,
  ...responding(
    { 200: Type.Null(), ...failures(404) },
    {
      200: {
        ...offsetHeader,
        'Upload-Length': optionalText('Total number of bytes.'),
        'Upload-Defer-Length': optionalText('1 while the size is unknown.'),
        'Upload-Concat': optionalText('partial, or final with the URLs of the parts.'),
        'Upload-Metadata': secret(optionalText('As sent.')),
      },
    },
  ),
  async handle(request, reply) {
    checkVersion(request);
    const { offset, size, metadata, concat } = await uploadsOf(request).find(request.params.id);
    reply.header('upload-offset', String(offset));
    if (size === null) reply.header('upload-defer-length', '1');
    else reply.header('upload-length', String(size));
    if (concat !== undefined)
      reply.header('upload-concat', formatConcat(concat, uploadUrl(request)));
    if (metadata !== null) reply.header('upload-metadata', metadata);
    return Buffer.alloc(0);
  },
});

const appending = {
  params,
  bodies: { [offsetType]: Type.Unknown({ description: 'The next bytes.' }) },
  ...responding(
    { 204: Type.Null(), ...failures(403, 404, 409, 413, 415) },
    {
      204: offsetHeader,
      409: { 'Upload-Offset': optionalText('The offset to continue at.') },
    },
  ),
};
const appendingHeaders = {
  ...sentVersion,
  'Upload-Offset': optionalText('The position of the body.'),
  'Upload-Length': optionalText('The size in bytes, if it was deferred.'),
  'Upload-Checksum': optionalText(
    'sha1, sha256, sha512 or md5, a space, and the digest of the body in base64.',
  ),
};

export const append = endpoint('PATCH', uploadPath, {
  summary: 'Continue a resumable upload',
  description:
    'Received bytes are stored, even if the connection breaks. With Upload-Checksum, they are stored only if it matches; otherwise 460. While another request is writing, 423. A complete upload is listed among the files.',
  ...appending,
  headers: appendingHeaders,
  handle: appendBody,
});

export const end = endpoint('DELETE', uploadPath, {
  summary: 'Delete a resumable upload',
  description: 'Also when it is complete.',
  params,
  headers: sentVersion,
  ...responding({ 204: Type.Null(), ...failures(404) }),
  handle: endUpload,
});

/** For clients that can send only POST. */
export const override = endpoint('POST', uploadPath, {
  summary: 'Send PATCH or DELETE where only POST is possible',
  description: 'X-HTTP-Method-Override names the method.',
  ...appending,
  headers: { ...appendingHeaders, 'X-HTTP-Method-Override': optionalText('PATCH or DELETE.') },
  isBodyOptional: true,
  handle(request, reply) {
    const method = singleHeader(request, 'x-http-method-override')?.toUpperCase();
    if (method === 'PATCH') return appendBody(request, reply);
    if (method === 'DELETE') return endUpload(request, reply);
    const message =
      'POST to an upload needs X-HTTP-Method-Override: PATCH or DELETE. The methods PATCH and DELETE work directly, too.';
    throw new HttpError(400, message);
  },
});

type OfUpload = Request<{ Params: { id: string } }>;

function endUpload(request: OfUpload, reply: Reply) {
  checkVersion(request);
  return removeById(request, reply);
}

async function appendBody(request: OfUpload, reply: Reply) {
  checkVersion(request);
  const { id } = request.params;
  const uploads = uploadsOf(request);
  const type = request.headers['content-type'];
  if (mediaType(type) !== offsetType) throw typeNotAccepted(type, `Content-Type: ${offsetType}`);
  const offset = wholeNumber(request, 'upload-offset');
  const checksum = checksumOf(request);
  const length = singleHeader(request, 'upload-length');
  const { concat } = await uploads.find(id);
  if (typeof concat === 'object') {
    throw new HttpError(403, 'This upload was concatenated from partial uploads, and is complete.');
  }
  const { size } =
    length === undefined
      ? await uploads.find(id)
      : await uploads.setSize(id, wholeNumber(request, 'upload-length'));
  const pieces = sentPieces(request, offset, size, checksum);
  const file = await uploads.write(id, offset, pieces);
  return reply.code(204).header('upload-offset', String(file.offset)).send();
}

interface Checksum {
  readonly algorithm: (typeof checksums)[number];
  readonly digest: Buffer;
}

/**
 * Yields pieces as they arrive, so that they are stored even if the client disconnects. With a checksum, yields them
 * only after the complete body.
 */
async function* sentPieces(
  request: Request,
  offset: number,
  size: number | null,
  checksum: Checksum | undefined,
): AsyncGenerator<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  // Rejected before anything is stored. A body of unknown length is rejected when it exceeds the size.
  if (size !== null && offset + announced > size) throw beyondEnd(size);
  if (checksum === undefined) {
    yield* bodyPieces(request, pieceBytes);
    return;
  }
  const { algorithm, digest } = checksum;
  const { bytes } = await readBody(request, maxCheckedBytes);
  const actual = createHash(algorithm).update(bytes).digest();
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) {
    const message = `The body's ${algorithm} is ${actual.toString('base64')}, which does not match Upload-Checksum.`;
    throw new HttpError(460, message, { body: { error: 'Checksum Mismatch' } });
  }
  yield* slicesOf(bytes, pieceBytes);
}

function checksumOf(request: Request): Checksum | undefined {
  const header = singleHeader(request, 'upload-checksum');
  if (header === undefined) return undefined;
  const [, name, digest = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header.trim()) ?? [];
  const algorithm = checksums.find((each) => each === name?.toLowerCase());
  if (algorithm !== undefined) return { algorithm, digest: Buffer.from(digest, 'base64') };
  const message = `Upload-Checksum must be one of ${checksums.join(', ')}, a space and the digest in base64.`;
  throw new HttpError(400, message);
}

function checkVersion(request: Request): void {
  const given = singleHeader(request, 'tus-resumable');
  if (given === version) return;
  const said = given === undefined ? 'is missing' : `is ${JSON.stringify(given.slice(0, 50))}`;
  throw new HttpError(412, `Tus-Resumable ${said}. Send Tus-Resumable: ${version}.`, {
    headers: { 'tus-version': version },
  });
}

const uploadUrl = ({ baseUrl }: Request) => `${baseUrl}${tusPath}`;

/** Returns null if a later request has the size. */
function sizeOf(request: Request, isFinal: boolean): number | null {
  const length = singleHeader(request, 'upload-length');
  const deferred = singleHeader(request, 'upload-defer-length');
  if (isFinal) {
    if (length === undefined && deferred === undefined) return null;
    const message = 'The length of a final upload is the sum of its parts: omit Upload-Length.';
    throw new HttpError(400, message);
  }
  if (deferred === undefined) {
    if (length !== undefined) return wholeNumber(request, 'upload-length');
    const message =
      'Upload-Length is missing. Send the size in bytes, or Upload-Defer-Length: 1 to send it later.';
    throw new HttpError(400, message);
  }
  if (length !== undefined) {
    throw new HttpError(400, 'Send either Upload-Length or Upload-Defer-Length, not both.');
  }
  if (deferred.trim() === '1') return null;
  throw new HttpError(400, `Upload-Defer-Length must be 1${gotValue('length', deferred)}.`);
}

function wholeNumber(request: Request, name: string): number {
  const value = singleHeader(request, name);
  if (value !== undefined && /^\d{1,15}$/.test(value)) return Number(value);
  const got = gotValue(titleCase(name), value);
  throw new HttpError(
    400,
    `${titleCase(name)} must be a number of bytes, an integer of at least 0${got}.`,
  );
}
