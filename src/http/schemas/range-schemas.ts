/** Headers of requests for bytes, and of responses to them, for the description of endpoints. */

import { Type } from 'typebox';
import type { Fields } from '../exchange.js';
import { entityTag, ifMatch, ifNoneMatch, noSniff } from './header-schemas.js';

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const rangeHeaders = {
  ...ifNoneMatch,
  ...ifMatch,
  Range: optionalText('Which bytes: bytes=0-499, bytes=500-, bytes=-500, or several by comma.'),
  'If-Range': optionalText(
    'A strong entity tag, or a date: Range applies only while it is that of the bytes here.',
  ),
  'Want-Content-Digest': optionalText(
    'The digests of what is sent that the caller knows, weighted from 0 to 10 (RFC 9530 section 4).',
  ),
  'Want-Repr-Digest': optionalText('The same, of all the bytes that there are.'),
};

const common = { ...entityTag, 'Accept-Ranges': Type.Literal('bytes'), ...noSniff };
const digests = {
  'Content-Digest': optionalText('Of what is sent, if it was asked for.'),
  'Repr-Digest': optionalText('Of all the bytes that there are, if it was asked for.'),
  Trailer: optionalText('The digests that come behind the bytes.'),
};

/** By status; `own` are those that the endpoint adds. */
export function rangeResponseHeaders(own: Fields = {}) {
  const withoutBytes = { ...common, ...own };
  const withBytes = { ...common, ...digests, ...own };
  return {
    200: withBytes,
    206: {
      ...withBytes,
      'Content-Range': optionalText('Which bytes of how many; in several ranges each part has it.'),
    },
    304: withoutBytes,
    412: withoutBytes,
    416: {
      ...withoutBytes,
      'Content-Range': Type.String({ description: 'How many bytes there are.' }),
    },
  };
}
