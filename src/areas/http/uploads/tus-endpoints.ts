/** Resumable uploads with tus 1.0: the core protocol, and the extensions listed by getCapabilities. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { hasBody, mediaType, readBody, typeNotAccepted } from '#http/body/request-body.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { location, optional } from '#http/schemas/header-schemas.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos, type ResponseSchema, secret } from '#kit/endpoint.js';
import { formatConcat, parseConcat } from './concat-header.js';
import { describeFile, fileSchema, params, path, removeById, uploadsOf } from './file-endpoints.js';
import { parseMetadata } from './parse-metadata.js';
import { checkName, checkType } from './parse-upload.js';
import { checkAnnounced, checksumOf, checksums, offsetType, sentPieces } from './tus-body.js';
import { checkVersion, sizeOf, version, wholeNumber } from './tus-headers.js';
import { maxTotalBytes, type StoredFile, type Uploads } from './uploads.js';

export const tusPath = `${path}/tus`;
const uploadPath = `${tusPath}/:id`;

const resumable = { 'Tus-Resumable': Type.Literal(version) };
const versions = { 'Tus-Version': text('The supported versions of tus.') };
const sentVersion = { 'Tus-Resumable': optionalText('The version of tus: 1.0.0.') };
const offsetHeader = { 'Upload-Offset': text('Number of bytes received.') };
const expiresHeader = {
  'Upload-Expires': optionalText(
    'When the unfinished upload expires, by the clock of the sandbox.',
  ),
};

const checksumHeader = {
  'Upload-Checksum': optionalText(
    'sha1, sha256, sha512 or md5, a space, and the digest of the body in base64.',
  ),
};

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

const extensions = [
  ...['creation', 'creation-with-upload', 'creation-defer-length', 'expiration', 'termination'],
  ...['checksum', 'concatenation'],
];

const uploadUrl = ({ baseUrl }: Request) => `${baseUrl}${tusPath}`;

export const getCapabilities = endpoint('OPTIONS', tusPath, {
  summary: 'Describe the support of tus',
  description: 'Returns versions, extensions, the maximum size and the checksum algorithms.',
  query: openExceptTypos({}),
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
        'tus-extension': extensions.join(','),
        'tus-max-size': String(maxTotalBytes),
        'tus-checksum-algorithm': checksums.join(','),
      })
      .send(),
});

export const create = (clock: Clock) =>
  endpoint('POST', tusPath, {
    summary: 'Create a resumable upload',
    description:
      'For tus 1.0 clients. Reserves space for the whole upload if its length is known. The body may have its first bytes; if they are rejected, nothing is created. A final upload replaces its finished partial uploads.',
    query: openExceptTypos({}),
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
      ...checksumHeader,
    },
    bodies: { [offsetType]: Type.Unknown({ description: 'The first bytes.' }) },
    isBodyOptional: true,
    ...responding(
      { 201: fileSchema, ...failures(409, 413, 415) },
      { 201: { ...location, ...optional(offsetHeader), ...expiresHeader } },
    ),
    async handle(request, reply) {
      checkVersion(request);
      const uploads = uploadsOf(request);
      const concat = parseConcat(singleHeader(request, 'upload-concat'), uploadUrl(request));
      const size = sizeOf(request, typeof concat === 'object');
      const given = { ...describedBy(request), createdAtMs: clock() };
      const isFilled = await hasFirstBytes(request, typeof concat === 'object');
      if (isFilled) checkAnnounced(request, 0, size);
      const added = { ...given, size, ...(concat === 'partial' && { concat }), expires: true };
      let file =
        typeof concat === 'object'
          ? await uploads.concatenate(concat, given)
          : await uploads.add(added);
      if (isFilled) file = await storeFirstBytes(request, uploads, file);
      else if (size === 0) file = await uploads.finish(file);
      setExpiry(reply.code(201), file).header('location', `${uploadUrl(request)}/${file.id}`);
      if (isFilled) reply.header('upload-offset', String(file.offset));
      return describeFile(file, request);
    },
  });

function describedBy(request: Request): Pick<StoredFile, 'name' | 'type' | 'metadata'> {
  const metadata = singleHeader(request, 'upload-metadata') ?? null;
  const values = parseMetadata(metadata ?? '');
  const name = checkName(values.get('filename') ?? values.get('name') ?? 'upload');
  const type = checkType(values.get('filetype') ?? values.get('type') ?? '');
  return { name, type, metadata };
}

/** Returns whether a creation has bytes to store. Rejects a body of another type before anything is created. */
async function hasFirstBytes(request: Request, isFinal: boolean): Promise<boolean> {
  if (!hasBody(request.raw)) return false;
  const type = request.headers['content-type'];
  if (mediaType(type) !== offsetType) {
    // Clients may send an empty body in chunks, without a type.
    const isEmpty = !request.headers['content-length'] && (await readBody(request, 0)).size === 0;
    if (isEmpty) return false;
    throw typeNotAccepted(type, `Content-Type: ${offsetType}`);
  }
  if (!isFinal) return true;
  throw new HttpError(400, 'A final upload has the bytes of its parts: omit the body.');
}

/** Stores the body of a creation. If the bytes are rejected, the upload is removed, because the client gets no URL. */
async function storeFirstBytes(request: Request, uploads: Uploads, { id, size }: StoredFile) {
  try {
    return await uploads.write(id, 0, sentPieces(request, 0, size, checksumOf(request)));
  } catch (error) {
    await uploads.remove(id);
    throw error;
  }
}

function setExpiry(reply: Reply, { expiresAtMs }: StoredFile): Reply {
  if (expiresAtMs === undefined) return reply;
  return reply.header('upload-expires', new Date(expiresAtMs).toUTCString());
}

export const getOffset = endpoint('HEAD', uploadPath, {
  summary: 'Get the offset of a resumable upload',
  description: 'The upload continues at this offset.',
  query: openExceptTypos({}),
  params,
  headers: sentVersion,
  ...responding(
    { 200: Type.Null(), ...failures(404, 410) },
    {
      200: {
        ...offsetHeader,
        ...expiresHeader,
        'Upload-Length': optionalText('Total number of bytes.'),
        'Upload-Defer-Length': optionalText('1 while the size is unknown.'),
        'Upload-Concat': optionalText('partial, or final with the URLs of the parts.'),
        'Upload-Metadata': secret(optionalText('As sent.')),
      },
    },
  ),
  async handle(request, reply) {
    checkVersion(request);
    const file = await uploadsOf(request).find(request.params.id);
    const { offset, size, metadata, concat } = file;
    setExpiry(reply, file).header('upload-offset', String(offset));
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
    { 204: Type.Null(), ...failures(403, 404, 409, 410, 413, 415) },
    {
      204: { ...offsetHeader, ...expiresHeader },
      409: { 'Upload-Offset': optionalText('The offset to continue at.') },
    },
  ),
};
const appendingHeaders = {
  ...sentVersion,
  'Upload-Offset': optionalText('The position of the body.'),
  'Upload-Length': optionalText('The size in bytes, if it was deferred.'),
  ...checksumHeader,
};

export const append = endpoint('PATCH', uploadPath, {
  summary: 'Continue a resumable upload',
  description:
    'Received bytes are stored, even if the connection breaks. With Upload-Checksum, they are stored only if it matches; otherwise 460. While another request is writing, 423. A complete upload is listed among the files.',
  query: openExceptTypos({}),
  ...appending,
  headers: appendingHeaders,
  handle: appendBody,
});

export const end = endpoint('DELETE', uploadPath, {
  summary: 'Delete a resumable upload',
  description: 'Also when it is complete.',
  query: openExceptTypos({}),
  params,
  headers: sentVersion,
  ...responding({ 204: Type.Null(), ...failures(404, 410) }),
  handle: endUpload,
});

/** For clients that can send only POST. */
export const override = endpoint('POST', uploadPath, {
  summary: 'Send PATCH or DELETE where only POST is possible',
  description: 'X-HTTP-Method-Override names the method.',
  query: openExceptTypos({}),
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
  return setExpiry(reply, file).code(204).header('upload-offset', String(file.offset)).send();
}
