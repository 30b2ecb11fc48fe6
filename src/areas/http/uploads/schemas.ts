/** What the routes of uploads take and respond with. */

import { Type } from 'typebox';
import { bytesOf } from '../../../http/schemas/bytes-of.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import {
  contentSecurityPolicy,
  location,
  takenCodings,
} from '../../../http/schemas/header-schemas.js';
import { rangeHeaders, rangeResponseHeaders } from '../../../http/schemas/range-schemas.js';
import { fileSchema } from './describe-file.js';

const params = Type.Object({ id: Type.String({ description: 'The id of the upload.' }) });
const done = Type.Null();
const text = (description: string) => Type.String({ description });

export const add = {
  summary: 'Upload a file',
  description:
    'The body is the file, with its Content-Type and a name in Content-Disposition; or a form with one file. A sandbox keeps 100 files and 16 MiB in all; a request brings 10 MiB at most, and tus accepts more.',
  described: {
    headers: {
      'Content-Disposition': Type.Optional(text('The name of the file, in filename or filename*.')),
    },
    body: {
      'application/octet-stream': Type.Unknown({ description: 'Any bytes, of any type.' }),
      'multipart/form-data': Type.Unsafe<object>({
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      }),
    },
  },
  response: {
    201: fileSchema,
    400: errorSchema,
    403: errorSchema,
    409: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 201: location, 415: takenCodings },
};

export const list = {
  summary: 'List the files, the first uploaded first',
  description: 'Those of your sandbox, with uploads that are under way.',
  response: { 200: Type.Array(fileSchema), 403: errorSchema },
};

export const clear = {
  summary: 'Delete all files',
  description: 'Those of your sandbox, with uploads that are under way.',
  response: { 204: done, 403: errorSchema },
};

export const show = {
  summary: 'Describe a file',
  description: 'Its digest is there once all of it has come.',
  params,
  response: { 200: fileSchema, 403: errorSchema, 404: errorSchema },
};

export const remove = {
  summary: 'Delete a file',
  description: 'Its address responds with 404 from then on.',
  params,
  response: { 204: done, 403: errorSchema, 404: errorSchema },
};

export const give = {
  summary: 'Get the bytes of a file, in whole or in ranges',
  description:
    'With the type that it was sent with, except for scripts and style sheets. A browser lets it do nothing.',
  params,
  described: { headers: rangeHeaders },
  response: {
    200: bytesOf('application/octet-stream'),
    206: bytesOf(['application/octet-stream', 'multipart/byteranges']),
    304: Type.Null({ description: 'The caller has these bytes already.' }),
    403: errorSchema,
    404: errorSchema,
    409: errorSchema,
    412: errorSchema,
    416: errorSchema,
  },
  responseHeaders: rangeResponseHeaders({
    ...contentSecurityPolicy,
    'Content-Disposition': text('The name of the file.'),
    'Last-Modified': text('When it was uploaded.'),
  }),
};

const resumable = { 'Tus-Resumable': Type.Literal('1.0.0') };
const offset = { 'Upload-Offset': text('How many bytes have come.') };
const sentVersion = { 'Tus-Resumable': Type.Optional(text('The version of tus: 1.0.0.')) };
const tusFailures = { 400: errorSchema, 403: errorSchema, 412: errorSchema };
const versions = { 'Tus-Version': text('The versions of tus that are spoken.') };

/** Each response says which version of tus it is of. */
function withVersion(
  statuses: Readonly<Record<number, object>>,
  own: Readonly<Record<number, object>> = {},
) {
  const all = Object.keys(statuses).map((status) => {
    return [status, { ...resumable, ...own[Number(status)] }] as const;
  });
  return Object.fromEntries(all);
}

export const capabilities = {
  summary: 'Describe the support of tus',
  description: 'Versions, extensions, the largest upload and the algorithms of checksums.',
  response: { 204: done, 400: errorSchema },
  responseHeaders: {
    400: resumable,
    204: {
      ...resumable,
      ...versions,
      'Tus-Extension': text('The extensions by comma.'),
      'Tus-Max-Size': text('The largest upload in bytes.'),
      'Tus-Checksum-Algorithm': text('The algorithms by comma.'),
    },
  },
};

const created = { 201: fileSchema, ...tusFailures, 409: errorSchema, 413: errorSchema };
export const create = {
  summary: 'Create a resumable upload',
  description: 'By tus 1.0, whose clients do the rest. Room for all of it is set aside.',
  described: {
    headers: {
      ...sentVersion,
      'Upload-Length': Type.Optional(text('The size in bytes.')),
      'Upload-Metadata': Type.Optional(
        text('Names with values in base64 by comma, such as filename and filetype.'),
      ),
    },
  },
  response: created,
  responseHeaders: withVersion(created, { 201: location, 412: versions }),
};

const told = { 200: Type.Unsafe<Buffer>({ type: 'null' }), ...tusFailures, 404: errorSchema };
export const tell = {
  summary: 'Get the offset of a resumable upload',
  description: 'It continues from there.',
  params,
  described: { headers: sentVersion },
  response: told,
  responseHeaders: withVersion(told, {
    200: {
      ...offset,
      'Upload-Length': text('How many bytes there will be.'),
      'Upload-Metadata': Type.Optional(text('As it was sent.')),
    },
    412: versions,
  }),
};

const appended = {
  204: done,
  ...tusFailures,
  404: errorSchema,
  409: errorSchema,
  413: errorSchema,
  415: errorSchema,
};
const appendingHeaders = withVersion(appended, {
  204: offset,
  409: { 'Upload-Offset': Type.Optional(text('Where to continue.')) },
  412: versions,
});
const sentToAppend = {
  ...sentVersion,
  'Upload-Offset': Type.Optional(text('Where the body belongs.')),
  'Upload-Checksum': Type.Optional(
    text('sha1, sha256, sha512 or md5, a space, and the digest of the body in base64.'),
  ),
};
const offsetBody = {
  'application/offset+octet-stream': Type.Unknown({ description: 'The next bytes.' }),
};

export const append = {
  summary: 'Continue a resumable upload',
  description:
    'What has come is kept, also when the connection breaks. With Upload-Checksum it is kept only if that is right; otherwise 460. While another request writes, 423. When all has come, the file is among the others.',
  params,
  described: { headers: sentToAppend, body: offsetBody },
  response: appended,
  responseHeaders: appendingHeaders,
};

const ended = { 204: done, ...tusFailures, 404: errorSchema };
export const end = {
  summary: 'Delete a resumable upload',
  description: 'Also when all has come.',
  params,
  described: { headers: sentVersion },
  response: ended,
  responseHeaders: withVersion(ended, { 412: versions }),
};

export const override = {
  summary: 'Send PATCH or DELETE where only POST is possible',
  description: 'X-HTTP-Method-Override says which.',
  params,
  described: {
    headers: {
      ...sentToAppend,
      'X-HTTP-Method-Override': Type.Optional(text('PATCH or DELETE.')),
    },
    body: offsetBody,
    isBodyOptional: true as const,
  },
  response: appended,
  responseHeaders: appendingHeaders,
};
