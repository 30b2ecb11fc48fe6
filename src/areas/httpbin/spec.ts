/** What rows of the table of paths are made of. */

import { type TSchema, Type } from 'typebox';
import type { Fields, Request } from '../../http/exchange.js';
import { basePathOf } from '../../http/public-path.js';
import { text } from '../../kit/describe/value-schemas.js';
import type { AnySpec, EndpointSpec } from '../../kit/endpoint.js';

/** An endpoint without its methods and path, which are in the table. */
export const spec = <
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Headers extends Fields = Fields,
  Body extends TSchema = TSchema,
>(
  given: EndpointSpec<Params, Query, Headers, Body>,
) => given as AnySpec;

export const mount = '/httpbin';

/** The URL of a path below the mount, which begins with a slash. */
export const ownUrl = ({ baseUrl }: Request, path: string) => baseUrl + mount + path;

/** The same without scheme and host. */
export const ownPath = ({ baseUrl }: Request, path: string) => basePathOf(baseUrl) + mount + path;

export const octets = 'application/octet-stream';
export const html = 'text/html; charset=utf-8';

/** A response of one media type. */
export const document = (mediaType: string) => ({
  200: { description: 'The document.', content: { [mediaType]: { schema: Type.String() } } },
});

export const notModified = { 304: Type.Null({ description: 'The caller has it already.' }) };

export const optionalTag = { ETag: Type.Optional(text('An entity tag.')) };

/** A path parameter. */
export const count = (description: string, minimum = 0) => Type.Integer({ minimum, description });
