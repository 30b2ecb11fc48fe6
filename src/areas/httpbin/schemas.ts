/** What routes below `/httpbin` accept and return, in parts that the table puts together. */

import { type TSchema, Type } from 'typebox';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { cacheControl, vary } from '../../http/schemas/header-schemas.js';
import type { EndpointSchema } from '../../kit/app.js';
import { anyBody, anyQuery } from '../../kit/describe/any-body.js';

const anyObject = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description });
export const octets = 'application/octet-stream';

export const text = (description: string) => Type.String({ description });

/** The members that responds choose from. */
const members = {
  args: anyObject('The query parameters; one that came again is a list.'),
  data: text('The body as text, or as a data: URL; empty when it is a form.'),
  files: anyObject('The files of a multipart body: their content as text, or as a data: URL.'),
  form: anyObject('The fields of a form; one that came again is a list.'),
  headers: anyObject('The headers, each word of a name with a capital; repeated ones are lists.'),
  json: Type.Unknown({ description: 'The body, when it is JSON; null when it is not.' }),
  method: text('The method.'),
  origin: text('The address that the request came from.'),
  url: text('The address that was asked for.'),
};

export type Member = keyof typeof members;

const bodyTruncated = Type.Optional(
  Type.Literal(true, { description: 'Only when data is the first 1 MiB of a longer body.' }),
);

const pick = (names: readonly Member[]): Record<string, TSchema> =>
  Object.fromEntries(names.map((name) => [name, members[name]]));

/** A response of these members, and of others. */
export const telling = (names: readonly Member[], more: Record<string, TSchema> = {}) => ({
  200: Type.Object({ ...pick(names), ...more }),
});

const whole = ['args', 'data', 'files', 'form', 'headers', 'json', 'origin', 'url'] as const;

export const tellHead = (summary: string, ...names: readonly Member[]): EndpointSchema => ({
  summary,
  described: { querystring: anyQuery },
  response: telling(names),
});

export const tellAll = (summary: string, ...more: readonly Member[]): EndpointSchema => ({
  summary,
  description:
    'Accepts any query and any body up to 10 MiB, of which 1 MiB is shown. A form that cannot be parsed is shown as data.',
  described: { querystring: anyQuery, ...anyBody },
  response: { ...telling([...whole, ...more], { bodyTruncated }), 413: errorSchema },
});

export const tellLate: EndpointSchema = {
  summary: 'Describe the request after a delay of at most 10 s',
  params: Type.Object({ seconds: Type.Number({ minimum: 0 }) }),
  described: { querystring: anyQuery, ...anyBody },
  response: {
    ...telling(['args', 'data', 'files', 'form', 'headers', 'origin', 'url'], { bodyTruncated }),
    413: errorSchema,
  },
};

/** A response of one media type. */
const content = (mediaType: string, description: string) => ({
  200: { description, content: { [mediaType]: { schema: Type.String() } } },
});

export const give = (
  summary: string,
  mediaType: string,
  more: Partial<EndpointSchema> = {},
): EndpointSchema => {
  const { response, ...rest } = more;
  return {
    summary,
    ...rest,
    response: { ...content(mediaType, 'The document.'), ...(response as object) },
  };
};

/** Of what is sent from a file, to be kept. */
const kept = {
  ...cacheControl,
  ETag: text('The entity tag.'),
  'X-Content-Type-Options': Type.Literal('nosniff'),
  Vary: Type.Optional(vary.Vary),
  'Content-Encoding': Type.Optional(Type.String()),
};

export const giveKept = (summary: string, mediaType: string): EndpointSchema =>
  give(summary, mediaType, {
    described: {
      headers: { 'If-None-Match': Type.Optional(text('An entity tag that the caller has.')) },
    },
    response: { 304: Type.Null({ description: 'The caller has it already.' }) },
    responseHeaders: { 200: kept, 304: kept },
  });

export const countOf = (name: string, description: string, least = 0) =>
  Type.Object({ [name]: Type.Integer({ minimum: least, description }) });

const setCookie = { 'Set-Cookie': Type.Optional(text('The cookies to set.')) };

/** A redirect by 302. */
export const leadOn = (summary: string, more: Partial<EndpointSchema> = {}): EndpointSchema => ({
  summary,
  response: { 302: Type.Null({ description: 'A redirect.' }) },
  responseHeaders: { 302: { Location: text('Where to continue.'), ...setCookie } },
  ...more,
});

/** Of responses whose status or headers the caller chooses. */
export const whatever = (description: string) => ({
  default: { description, content: { '*/*': { schema: Type.Unknown() } } },
  400: errorSchema,
});
