/** Endpoints that return a request as it arrived: one for each method, and one for all. */

import { METHODS } from 'node:http';
import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import {
  hasBody,
  maxBodyBytes,
  noBody,
  type RequestBody,
  readBody,
} from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { jsonContentType } from '#http/http-error.js';
import { TextOfBytes } from '#http/json/json-pieces.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { allowedMethods } from '#http/schemas/header-schemas.js';
import { sendLargeJson, writeAhead } from '#http/sending/large-json.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { anyBodies, anyQuery } from '#kit/describe/any-body.js';
import { anyObject, nullableText, objectOf, text } from '#kit/describe/value-schemas.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';
import { doLongWork } from '#kit/limits/long-work.js';
import { describeRequest, receivedMessage, shownBodyBytes } from './describe-request.js';
import { listHeaders } from './list-headers.js';
import { parseBody } from './parse-body.js';
import { sendBack } from './send-back.js';

export const echoedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const pathOf = (method: string) => `/api/methods/${method.toLowerCase()}`;

const echoFields = {
  method: text('The method of the request.'),
  message: Type.String(),
  path: text('The path as sent, without the query.'),
  query: anyObject('The query parameters, decoded; repeated ones are arrays.'),
  contentType: nullableText('The Content-Type header as sent.'),
  bodyLength: Type.Integer({ description: 'Size of the body in bytes.' }),
  bodyTruncated: Type.Boolean({ description: 'Whether `body` has only the first 1 MiB.' }),
  body: nullableText('The body as text, or as base64 if it is not UTF-8; null without a body.'),
  timestamp: text('Time of the response by the real clock, ISO 8601 in UTC.'),
  bodyEncoding: Type.Optional(
    Type.Literal('base64', { description: 'Present if `body` is base64.' }),
  ),
  json: Type.Optional(Type.Unknown({ description: 'A JSON body, parsed.' })),
  jsonWarnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Numbers that `json` does not show exactly as sent.',
    }),
  ),
  form: Type.Optional(anyObject('The fields of a form body; repeated ones are arrays.')),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        filename: Type.String(),
        contentType: Type.String(),
        size: Type.Integer({ description: 'In bytes.' }),
      }),
      { description: 'The files of a multipart body.' },
    ),
  ),
  fieldTypes: Type.Optional(
    objectOf({ type: 'string' }, 'The content types of multipart fields that have one.'),
  ),
  parseError: Type.Optional(
    text('Why the query could not be decoded, or the body not parsed by its Content-Type.'),
  ),
};

const described = {
  description: `Accepts any query and any body up to ${maxBodyBytes} bytes, of which the first ${shownBodyBytes} are shown.`,
  query: unvalidated(anyQuery),
  ...anyBodies,
};

const echoSchema = Type.Object(echoFields, { title: 'Echo' });

const query = { city: 'Zürich' };
const aQuery: Examples = { 'A query': { query } };
const aJsonBody: Examples = { 'A JSON body': { json: { name: 'Ada' } } };
const otherBodies: Examples = {
  'A form': { type: 'application/x-www-form-urlencoded', body: 'name=Ada&tag=a&tag=b' },
  'Plain text': { type: 'text/plain', body: 'Hello' },
  'Bytes that are not text': {
    type: 'application/octet-stream',
    body: Uint8Array.of(0xff, 0),
    isNoExample: true,
  },
  'Broken JSON': { type: 'application/json', body: '{"name": Ada}', isNoExample: true },
};
const aFile: Examples = {
  'A file': {
    type: 'multipart/form-data; boundary=end',
    body: '--end\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nHello\r\n--end--\r\n',
    isNoExample: true,
  },
};

export const echoOf = (method: (typeof echoedMethods)[number], clock: Clock) =>
  endpoint([method], pathOf(method), {
    summary: `Describe a ${method} request`,
    ...described,
    responses: { 200: echoSchema, 413: errorSchema },
    examples: {
      ...aQuery,
      ...aJsonBody,
      ...(method !== 'GET' && otherBodies),
      ...(method === 'POST' && aFile),
    },
    // Responds synchronously if there is no body, which is the common case.
    handle: (request, reply) =>
      hasBody(request.raw) ? echoBody(request, reply, clock) : describe(request, noBody, clock),
  });

const fullEchoSchema = Type.Object(
  {
    ...echoFields,
    headers: anyObject('The headers as sent; repeated ones are arrays.'),
    ip: text('The IP address of the client.'),
    httpVersion: Type.String(),
  },
  { title: 'FullEcho' },
);

export const methodHeaders = {
  'X-Method': text('The method of the request.'),
  'X-Message': Type.String(),
};
const anyHeaders = { ...methodHeaders, Allow: Type.Optional(allowedMethods.Allow) };

export const setMethodHeaders = (reply: Reply, method: string) =>
  reply.header('x-method', method).header('x-message', receivedMessage(method));

const received = {
  description:
    'The request. TRACE gets it as message/http, without headers that may hold credentials.',
  content: {
    'application/json': { schema: fullEchoSchema },
    'message/http': { schema: Type.String() },
  },
};

export const echoAny = (clock: Clock) =>
  endpoint(METHODS, pathOf('any'), {
    summary: 'Describe a request of any method',
    ...described,
    responses: { 200: received, 413: errorSchema },
    responseHeaders: { 200: anyHeaders, 413: anyHeaders },
    examples: (method) => ({
      // OPTIONS lists every method that Node supports.
      'A query': { query, unkeptHeaders: ['allow'] },
      ...(method === 'POST' && aJsonBody),
    }),
    handle(request, reply) {
      const { method, raw, ip } = request;
      setMethodHeaders(reply, method);
      if (method === 'TRACE') return sendBack(request, reply);
      if (method === 'OPTIONS') reply.header('allow', METHODS.join(', '));
      const { rawHeaders, httpVersion } = raw;
      const arrived = { headers: listHeaders(rawHeaders), ip, httpVersion };
      return hasBody(raw)
        ? echoBody(request, reply, clock, arrived)
        : Object.assign(describe(request, noBody, clock), arrived);
    },
  });

function describe(request: Request, body: RequestBody, clock: Clock) {
  const { method, raw, query, headers } = request;
  const url = originForm(sentTargetOf(raw));
  const facts = { method, url, query: query as object, contentType: headers['content-type'], body };
  return describeRequest(facts, clock());
}

/** Returns the description of a request with a body. Streams a long one at the pace of the client. */
async function echoBody(request: Request, reply: Reply, clock: Clock, members: object = {}) {
  const body = await readBody(request, shownBodyBytes);
  const record = describe(request, body, clock);
  const isLarge = record.body instanceof TextOfBytes;
  if (!body.isTruncated) {
    const parsed = await (isLarge ? parseLarge(request, reply, body) : parse(request, body));
    const faults = [record.parseError, parsed.parseError].filter((fault) => fault !== undefined);
    // Spreading both into a third object would take as long as parsing a small body.
    Object.assign(record, parsed, faults.length > 1 && { parseError: faults.join(' ') });
  }
  Object.assign(record, members);
  return isLarge ? sendLargeJson(request, reply.type(jsonContentType), record) : record;
}

const parse = ({ headers }: Request, { bytes }: RequestBody, show?: (json: unknown) => unknown) =>
  parseBody(headers['content-type'], bytes, headers['content-encoding'], show);

function parseLarge(request: Request, reply: Reply, body: RequestBody) {
  // For the body's text, the text to parse, and the parsed values.
  reserveUntilResponse(request, reply, 3 * body.bytes.length);
  return doLongWork(request, () =>
    parse(request, reply.raw.destroyed ? noBody : body, (json) => writeAhead(request, reply, json)),
  );
}
