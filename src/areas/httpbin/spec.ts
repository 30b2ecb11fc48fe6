/** The rows of the table of paths, and their parts. */

import { type TSchema, Type } from 'typebox';
import { shownPath } from '#http/address/mount.js';
import { basePathOf } from '#http/address/sandbox-address.js';
import type { Fields, Request } from '#http/exchange.js';
import { anyContent } from '#kit/describe/any-body.js';
import { text } from '#kit/describe/value-schemas.js';
import type { AnySpec, EndpointSpec } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';

/** An endpoint without methods and path, which are in the table. */
export const spec = <
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Headers extends Fields = Fields,
  Body extends TSchema = TSchema,
>(
  given: EndpointSpec<Params, Query, Headers, Body>,
) => given as AnySpec;

export type Row = readonly [
  methods: string | readonly string[],
  path: string,
  spec: AnySpec,
  examples?: Examples,
];

export const mount = '/httpbin';

/** Returns the URL of a path below the mount, which begins with a slash. */
export const ownUrl = ({ baseUrl, raw }: Request, path: string) =>
  baseUrl + shownPath(raw, mount + path);

/** Returns the URL without scheme and host. */
export const ownPath = ({ baseUrl, raw }: Request, path: string) =>
  basePathOf(baseUrl) + shownPath(raw, mount + path);

export const octets = 'application/octet-stream';
export const html = 'text/html; charset=utf-8';

/** Describes a response of one media type. */
export const document = (mediaType: string, description = 'The document.') => ({
  200: { description, content: { [mediaType]: { schema: Type.String() } } },
});

/** Describes a response whose status or headers the caller chooses. */
export const anyStatus = (description: string) => ({
  default: anyContent(description),
});

export const notModified = { 304: Type.Null({ description: "The client's copy is current." }) };

export const optionalTag = { ETag: Type.Optional(text('An entity tag.')) };

/** Describes a path parameter. */
export const count = (description: string, minimum = 0) => Type.Integer({ minimum, description });

/** Documents change only with versions of this service. */
export const cachedForAnHour = { 'cache-control': 'public, max-age=3600' };
