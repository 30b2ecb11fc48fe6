/** Describes headers of requests for bytes, and of their responses. */

import { Type } from 'typebox';
import type { Fields } from '../exchange.js';
import { entityTag, ifMatch, ifNoneMatch, noSniff } from './header-schemas.js';

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const rangeHeaders = {
  ...ifNoneMatch,
  ...ifMatch,
  Range: optionalText(
    'The bytes to send: bytes=0-499, bytes=500-, bytes=-500, or several separated by commas.',
  ),
  'If-Range': optionalText(
    'A strong entity tag, or a date: Range applies only if it matches the current version.',
  ),
  'Want-Content-Digest': optionalText(
    'Requested digest algorithms of the content, weighted from 0 to 10 (RFC 9530 section 4).',
  ),
  'Want-Repr-Digest': optionalText('Requested digest algorithms of all the bytes.'),
};

const common = { ...entityTag, 'Accept-Ranges': Type.Literal('bytes'), ...noSniff };
const digests = {
  'Content-Digest': optionalText('Digest of the content, if requested.'),
  'Repr-Digest': optionalText('Digest of all the bytes, if requested.'),
  Trailer: optionalText('Names of the digest trailers after the body.'),
};

/** Returns headers by status; `own` are the headers that the endpoint adds. */
export function rangeResponseHeaders(own: Fields = {}) {
  const withoutBytes = { ...common, ...own };
  const withBytes = { ...common, ...digests, ...own };
  return {
    200: withBytes,
    206: {
      ...withBytes,
      'Content-Range': optionalText(
        'The range of the bytes and their total; with several ranges, in each part.',
      ),
    },
    304: withoutBytes,
    412: withoutBytes,
    416: {
      ...withoutBytes,
      'Content-Range': Type.String({ description: 'Total number of bytes.' }),
    },
  };
}
