/** Resumable uploads by draft-ietf-httpbis-resumable-upload. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { mediaType, rejectContentEncoding, typeNotAccepted } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { filenameIn } from '#http/headers/content-disposition.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { location, optional } from '#http/schemas/header-schemas.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import {
  describeFile,
  fileSchema,
  path as filesPath,
  params,
  uploadsOf,
} from '../file-endpoints.js';
import { checkName, checkType } from '../parse-upload.js';
import type { StoredFile, Uploads } from '../uploads.js';
import {
  checkInteropVersion,
  limitsOf,
  mismatch,
  partialUpload,
  readDraftHeaders,
  sendResumptionSupported,
} from './draft-headers.js';
import { checkAppendSize, lengthOf, type Sending, storeContent } from './store-content.js';
import { type Noting, noted } from './upload-requests.js';

export const resumablePath = '/api/http/resumable';
const uploadPath = `${resumablePath}/:id`;

const limit = { 'Upload-Limit': text('Limits, such as max-size, in bytes and seconds.') };
const complete = { 'Upload-Complete': text('?1 if the upload is complete, else ?0.') };
const offset = { 'Upload-Offset': text('Number of bytes received.') };
const version = {
  'Upload-Draft-Interop-Version': optionalText('The interop version of the draft: 9.'),
};
const sent = {
  ...version,
  'Upload-Complete': optionalText('?1 if the content ends the upload, else ?0.'),
  'Upload-Length': optionalText('The size of the whole upload in bytes.'),
};
const problemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    'expected-offset': Type.Optional(Type.Integer()),
    'provided-offset': Type.Optional(Type.Integer()),
  },
  { title: 'UploadProblem' },
);
const problem = {
  content: { 'application/problem+json': { schema: problemSchema } },
};
const malformedSchema = Type.Object({
  ...errorSchema.properties,
  versions: Type.Optional(
    Type.Array(Type.Integer(), { description: 'The known interop versions.' }),
  ),
});
const malformed = {
  content: { ...problem.content, 'application/json': { schema: malformedSchema } },
};

/** Headers of rejections: the state of the upload, the known version, and the limits. */
const rejections = {
  400: optional({ ...complete, ...version }),
  413: optional(limit),
};

export const getLimits = endpoint('OPTIONS', resumablePath, {
  summary: 'Get the limits of resumable uploads',
  description: 'By the draft of the IETF: Upload-Limit shows that uploads can be resumed.',
  query: openExceptTypos({}),
  responses: { 204: Type.Null() },
  responseHeaders: { 204: limit },
  handle: (_request, reply) => reply.code(204).header('upload-limit', limitsOf()).send(),
});

export const create = (clock: Clock) =>
  endpoint('POST', resumablePath, {
    summary: 'Upload a file that can be resumed, or its beginning',
    description:
      'By the draft of the IETF. With Upload-Complete and the interop version, 104 (Upload Resumption Supported) has the URL of the upload before the content is read. Without Upload-Complete it is an ordinary upload.',
    query: openExceptTypos({}),
    headers: { ...sent, 'Content-Disposition': optionalText('The name of the file.') },
    bodies: {
      'application/octet-stream': Type.Unknown({ description: 'Any bytes, of any type.' }),
    },
    isBodyOptional: true,
    responses: { 201: fileSchema, 400: malformed, ...failures(403, 409, 413, 415) },
    responseHeaders: {
      201: {
        ...location,
        ...complete,
        ...offset,
        'Upload-Limit': optionalText('While unfinished.'),
      },
      ...rejections,
    },
    handle: noted(clock, async (request: Request, reply, noting) => {
      const sending = begin(request, reply, noting);
      const uploads = uploadsOf(request);
      rejectContentEncoding(request.headers['content-encoding']);
      checkAppendSize(sending);
      const { 'content-type': type = '', 'content-disposition': disposition } = request.headers;
      const added = await uploads.add({
        name: checkName(filenameIn(disposition) ?? 'upload'),
        type: checkType(type),
        size: lengthOf(sending, 0, null),
        metadata: null,
        createdAtMs: clock(),
        expires: true,
      });
      noting.upload = added.id;
      const limits = limitsOf(added, await request.sandbox.now());
      const announced = { Location: urlOf(request, added), 'Upload-Limit': limits };
      sendResumptionSupported(reply, sending.headers, announced);
      const file = await storeFirst(sending, uploads, added);
      return respond(sending, file, 201);
    }),
  });

/** Stores the content of a creation. A client without the URL cannot resume it, so that a failure removes it. */
async function storeFirst(sending: Sending, uploads: Uploads, added: StoredFile) {
  const { headers, request } = sending;
  const isResumable = headers.isComplete !== undefined && headers.version !== undefined;
  let isStored = false;
  try {
    const file = await storeContent(sending, uploads, added, 0);
    isStored = request.raw.complete;
    return file;
  } finally {
    if (!isStored && !isResumable) await uploads.remove(added.id);
  }
}

function begin(request: Request, reply: Reply, noting: Noting): Sending {
  const headers = readDraftHeaders(request);
  checkInteropVersion(headers);
  return { request, reply, noting, headers };
}

const urlOf = ({ baseUrl }: Request, { id }: StoredFile) => `${baseUrl}${resumablePath}/${id}`;

/** Responds to content: like an ordinary upload once it is complete, else with the state of the upload. */
async function respond({ request, reply }: Sending, file: StoredFile, unfinished: 201 | 204) {
  const isComplete = file.sha256 !== null;
  await showState(request, reply, file);
  const url = isComplete ? `${request.baseUrl}${filesPath}/${file.id}` : urlOf(request, file);
  if (isComplete || unfinished === 201) reply.code(201).header('location', url);
  if (isComplete) reply.removeHeader('upload-limit');
  else if (unfinished === 204) return reply.code(204).send();
  return describeFile(file, request);
}

async function showState(request: Request, reply: Reply, file: StoredFile): Promise<void> {
  reply.headers({
    'upload-complete': file.sha256 === null ? '?0' : '?1',
    'upload-offset': String(file.offset),
    'upload-limit': limitsOf(file, await request.sandbox.now()),
  });
}

export const getOffset = (clock: Clock) =>
  endpoint('GET', uploadPath, {
    summary: 'Get the offset at which a resumable upload continues',
    description:
      'By the draft of the IETF, which recommends HEAD. It ends another request that is still writing.',
    query: openExceptTypos({}),
    params,
    headers: version,
    responses: { 204: Type.Null(), 400: malformedSchema, ...failures(403, 404, 410) },
    responseHeaders: {
      400: optional(version),
      204: { ...offset, ...complete, ...limit, 'Upload-Length': optionalText('If it is known.') },
    },
    handle: noted(clock, async (request: OfUpload, reply, noting) => {
      begin(request, reply, noting);
      const file = await takeOver(request, noting);
      await showState(request, reply, file);
      if (file.size !== null) reply.header('upload-length', String(file.size));
      return reply.code(204).header('cache-control', 'no-store').send();
    }),
  });

type OfUpload = Request<{ Params: { id: string } }>;

/** Ends the other requests that write to the upload, as the draft recommends. */
async function takeOver(request: OfUpload, noting: Noting): Promise<StoredFile> {
  const { file, wasLocked } = await uploadsOf(request).takeOver(request.params.id);
  noting.upload = file.id;
  if (wasLocked) noting.isOverlapping = true;
  return file;
}

export const append = (clock: Clock) =>
  endpoint('PATCH', uploadPath, {
    summary: 'Append content to a resumable upload',
    description:
      'By the draft of the IETF. Received bytes are stored, even if the connection breaks. It ends another request that is still writing.',
    query: openExceptTypos({}),
    params,
    headers: { ...sent, 'Upload-Offset': optionalText('The position of the content.') },
    bodies: { [partialUpload]: Type.Unknown({ description: 'The next bytes.' }) },
    isBodyOptional: true,
    responses: {
      201: fileSchema,
      204: Type.Null(),
      400: malformed,
      409: problem,
      ...failures(403, 404, 410, 413, 415),
    },
    responseHeaders: {
      201: { ...location, ...complete, ...offset },
      204: { ...complete, ...offset, ...limit },
      409: { ...complete, ...offset },
      ...rejections,
      415: { 'Accept-Patch': Type.Literal(partialUpload) },
    },
    handle: noted(clock, appendContent),
  });

async function appendContent(request: OfUpload, reply: Reply, noting: Noting) {
  const sending = begin(request, reply, noting);
  const { offset: position, isComplete } = sending.headers;
  const uploads = uploadsOf(request);
  const { id } = await uploads.find(request.params.id);
  noting.upload = id;
  const type = request.headers['content-type'];
  if (mediaType(type) !== partialUpload) {
    reply.header('accept-patch', partialUpload);
    throw typeNotAccepted(type, `Content-Type: ${partialUpload}`);
  }
  if (position === undefined) throw missing('Upload-Offset, an integer of at least 0');
  if (isComplete === undefined) throw missing('Upload-Complete, ?1 or ?0');
  const file = await takeOver(request, noting);
  if (position !== file.offset) {
    noting.fault = 'offset';
    throw mismatch(file.offset, position);
  }
  checkAppendSize(sending);
  const size = lengthOf(sending, position, file.size);
  if (file.sha256 !== null) {
    // The client may not have received the last response.
    if (isComplete && sending.headers.announced === 0) return respond(sending, file, 204);
    throw new HttpError(400, 'The upload is complete: nothing can be appended.', {
      headers: { 'upload-complete': '?0' },
    });
  }
  const sized = size === null || size === file.size ? file : await uploads.setSize(id, size);
  return respond(sending, await storeContent(sending, uploads, sized, position), 204);
}

function missing(header: string): HttpError {
  return new HttpError(400, `Send the header ${header}.`, { headers: { 'upload-complete': '?0' } });
}

export const cancel = (clock: Clock) =>
  endpoint('DELETE', uploadPath, {
    summary: 'Cancel a resumable upload',
    description: 'By the draft of the IETF. Deletes the upload, also when it is complete.',
    query: openExceptTypos({}),
    params,
    headers: version,
    responses: { 204: Type.Null(), 400: malformedSchema, ...failures(403, 404, 410) },
    responseHeaders: { 400: optional(version) },
    handle: noted(clock, async (request: OfUpload, reply, noting) => {
      begin(request, reply, noting);
      const uploads = uploadsOf(request);
      const { id } = await uploads.find(request.params.id);
      noting.upload = id;
      await uploads.remove(id);
      return reply.code(204).send();
    }),
  });
