/** A file as its owner sees it. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { text } from '../../../kit/describe/value-schemas.js';
import type { StoredFile } from './files.js';

export const path = '/api/http/uploads';

export const fileSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: text('The media type that it was sent with.'),
  size: Type.Integer({ description: 'In bytes, when all has come.' }),
  uploadedBytes: Type.Integer({ description: 'How many have come; fewer while it is uploaded.' }),
  sha256: Type.Union([Type.String(), Type.Null()], {
    description: 'Of all of it in hex; null until that has come.',
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
