/** Files that are uploaded in one request, listed, downloaded and deleted. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { maxBodyBytes, readBody, rejectContentEncoding } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { contentDisposition } from '#http/headers/content-disposition.js';
import { headerValueFault } from '#http/headers/settable-headers.js';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { failures } from '#http/schemas/error-schema.js';
import { contentSecurityPolicy, location, takenCodings } from '#http/schemas/header-schemas.js';
import { rangeHeaders, rangeResponseHeaders } from '#http/schemas/range-schemas.js';
import { type RandomAccess, sendBytes } from '#http/sending/send-bytes.js';
import { slicesOf } from '#http/sending/stream-of.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { parseUpload } from './parse-upload.js';
import { pieceBytes, type StoredFile, Uploads } from './uploads.js';

export const path = '/api/http/uploads';

export const fileSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: text('The media type it was uploaded with.'),
  size: Type.Union([Type.Integer(), Type.Null()], {
    description: 'In bytes, when complete; null while unknown.',
  }),
  uploadedBytes: Type.Integer({
    description: 'Number of bytes received; below size during the upload.',
  }),
  sha256: Type.Union([Type.String(), Type.Null()], {
    description: 'SHA-256 of the complete file in hex; null before.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  contentUrl: Type.String({ format: 'uri' }),
});

export function describeFile(file: StoredFile, { baseUrl }: Request) {
  const { id, name, type, size, offset, sha256, createdAtMs } = file;
  return {
    id,
    name,
    type,
    size,
    uploadedBytes: offset,
    sha256,
    createdAt: new Date(createdAtMs).toISOString(),
    contentUrl: `${baseUrl}${path}/content/${id}`,
  };
}

export const uploadsOf = (request: Request) => new Uploads(ownSandbox(request, 'Uploads need'));

export const params = { id: text('The id of the upload.') };

export const add = (clock: Clock) =>
  endpoint('POST', path, {
    summary: 'Upload a file',
    description:
      'The body is the file, with its Content-Type and a name in Content-Disposition; or a form with one file. A sandbox stores 100 files and 16 MiB in total. A request has at most 10 MiB; tus accepts larger files.',
    query: openExceptTypos({}),
    headers: {
      'Content-Disposition': optionalText('The name of the file, in filename or filename*.'),
    },
    bodies: {
      'application/octet-stream': Type.Unknown({ description: 'Any bytes, of any type.' }),
      'multipart/form-data': Type.Unsafe<object>({
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      }),
    },
    responses: { 201: fileSchema, ...failures(403, 409, 413, 415) },
    responseHeaders: { 201: location, 415: takenCodings },
    async handle(request, reply) {
      const uploads = uploadsOf(request);
      rejectContentEncoding(request.headers['content-encoding']);
      const body = await readBody(request, maxBodyBytes);
      const { name, type, bytes } = await parseUpload(request, body.bytes);
      const given = { name, type, size: bytes.length, metadata: null, createdAtMs: clock() };
      const { id } = await uploads.add(given);
      const stored = await store(uploads, id, bytes);
      reply.code(201).header('location', `${request.baseUrl}${path}/${id}`);
      return describeFile(stored, request);
    },
  });

/** Stores bytes that have all arrived. Stores the complete file or nothing. */
async function store(uploads: Uploads, id: string, bytes: Buffer): Promise<StoredFile> {
  try {
    return await uploads.write(id, 0, slicesOf(bytes, pieceBytes));
  } catch (error) {
    await uploads.remove(id);
    if (!(error instanceof HttpError && error.status === 404)) throw error;
    const message =
      'The upload was deleted while being stored, or evicted by other files. Send it again.';
    throw new HttpError(409, message);
  }
}

export const list = endpoint('GET', path, {
  summary: 'List files, the first uploaded first',
  description: 'Lists the files of your sandbox, including unfinished uploads.',
  query: openExceptTypos({}),
  responses: { 200: Type.Array(fileSchema), ...failures(403) },
  async handle(request) {
    const files = await uploadsOf(request).list();
    return files.map((file) => describeFile(file, request));
  },
});

export const clear = endpoint('DELETE', path, {
  summary: 'Delete all files',
  description: 'Deletes the files of your sandbox, including unfinished uploads.',
  query: openExceptTypos({}),
  responses: { 204: Type.Null(), ...failures(403) },
  async handle(request, reply) {
    await uploadsOf(request).clear();
    return reply.code(204).send();
  },
});

export const show = endpoint('GET', `${path}/:id`, {
  summary: 'Describe a file',
  description: 'The digest is present once the file is complete.',
  query: openExceptTypos({}),
  params,
  responses: { 200: fileSchema, ...failures(403, 404, 410) },
  async handle(request) {
    return describeFile(await uploadsOf(request).find(request.params.id), request);
  },
});

export const remove = endpoint('DELETE', `${path}/:id`, {
  summary: 'Delete a file',
  description: 'Afterwards, its URL responds with 404.',
  query: openExceptTypos({}),
  params,
  responses: { 204: Type.Null(), ...failures(403, 404, 410) },
  handle: removeById,
});

export async function removeById(request: Request<{ Params: { id: string } }>, reply: Reply) {
  const uploads = uploadsOf(request);
  const { id } = await uploads.find(request.params.id);
  await uploads.remove(id);
  return reply.code(204).send();
}

export const getContent = (held: HeldRequests) =>
  endpoint('GET', `${path}/content/:id`, {
    summary: 'Get the bytes of a file, complete or in ranges',
    description:
      'With the type it was uploaded with, except scripts and style sheets. Browsers never run it.',
    query: openExceptTypos({}),
    params,
    headers: rangeHeaders,
    responses: {
      200: bytesOf('application/octet-stream'),
      206: bytesOf(['application/octet-stream', 'multipart/byteranges']),
      304: Type.Null({ description: "The client's copy is current." }),
      ...failures(403, 404, 409, 410, 412, 416),
    },
    responseHeaders: rangeResponseHeaders({
      ...contentSecurityPolicy,
      'Content-Disposition': text('The name of the file.'),
      'Last-Modified': text('When it was uploaded.'),
    }),
    async handle(request, reply) {
      const uploads = uploadsOf(request);
      const file = await uploads.find(request.params.id);
      const { name, type, size, offset, sha256, createdAtMs } = file;
      if (size === null || sha256 === null) {
        const message = `Only ${offset} of ${size ?? 'an unknown number of'} bytes of this upload have arrived. Send the rest first.`;
        throw new HttpError(409, message);
      }
      await uploads.checkContent(file);
      reply
        .headers(isolatingHeaders)
        .header('cache-control', 'private, no-cache')
        .header('content-disposition', contentDisposition('inline', name));
      const bytes: RandomAccess = {
        size,
        contentType: shownType(type),
        entityTag: `"${Buffer.from(sha256, 'hex').toString('base64url').slice(0, 22)}"`,
        lastModifiedMs: createdAtMs,
        slices: (range) => uploads.read(file, range),
      };
      return sendBytes(request, reply, bytes, { held });
    },
  });

/** Replaces types that a page of this origin could load as a script or style. */
function shownType(type: string): string {
  return headerValueFault('Content-Type', type) === undefined ? type : 'application/octet-stream';
}
