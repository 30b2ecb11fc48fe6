/** An endpoint per HTTP verb, each answering with the request as it arrived. */

import { METHODS } from 'node:http';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { anyBody, anyQuery } from '../../server/any-body.js';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { allowedMethods } from '../../server/header-schemas.js';
import { originForm } from '../../server/origin-form.js';
import {
  hasBody,
  maxBodyBytes,
  noBody,
  type RequestBody,
  readBody,
} from '../../server/request-body.js';
import type { Clock } from '../../state/state.js';
import { describeRequest, receivedMessage, shownBodyBytes } from './describe-request.js';
import { methodExamples } from './examples.js';
import { listHeaders } from './list-headers.js';
import { parseBody } from './parse-body.js';

/** Every path under /api/methods and the verb it takes; `ANY` stands for all of them. */
const endpoints = [
  { method: 'GET', path: '/api/methods/get' },
  { method: 'POST', path: '/api/methods/post' },
  { method: 'PUT', path: '/api/methods/put' },
  { method: 'PATCH', path: '/api/methods/patch' },
  { method: 'DELETE', path: '/api/methods/delete' },
  { method: 'HEAD', path: '/api/methods/head' },
  { method: 'OPTIONS', path: '/api/methods/options' },
  { method: 'ANY', path: '/api/methods/any' },
] as const;

const anyObject = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description });
const nullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const echoFields = {
  method: Type.String({ description: 'The verb of the request.' }),
  message: Type.String(),
  path: Type.String({ description: 'The path as it was sent, without the query.' }),
  query: anyObject('The query parameters, decoded; repeated ones are arrays.'),
  contentType: nullableString('The Content-Type header as it was sent.'),
  bodyLength: Type.Integer({ description: 'How many bytes the body had.' }),
  bodyTruncated: Type.Boolean({ description: 'Whether `body` is only the first 1 MiB of it.' }),
  body: nullableString('The body as text, or as base64 when it is not UTF-8; null without one.'),
  timestamp: Type.String({
    description: 'When the answer was made by the real clock, ISO 8601 in UTC.',
  }),
  bodyEncoding: Type.Optional(
    Type.Literal('base64', { description: 'Present when `body` is base64.' }),
  ),
  json: Type.Optional(Type.Unknown({ description: 'A JSON body, parsed.' })),
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
  parseError: Type.Optional(
    Type.String({ description: 'Why the body could not be read as its Content-Type says.' }),
  ),
};

const echoSchema = Type.Object(echoFields, { title: 'Echo' });

const anySchema = Type.Object(
  {
    ...echoFields,
    headers: anyObject('The headers as they were sent; repeated ones are arrays.'),
    ip: Type.String({ description: 'The address that the request came from.' }),
    httpVersion: Type.String(),
  },
  { title: 'FullEcho' },
);

const optionsSchema = Type.Object({
  method: Type.String(),
  message: Type.String(),
  endpoints: Type.Array(Type.Object({ method: Type.String(), path: Type.String() })),
});

const echoHeaders = {
  'X-Method': Type.String({ description: 'The verb of the request.' }),
  'X-Message': Type.String(),
};

const anyHeaders = { ...echoHeaders, Allow: Type.Optional(allowedMethods.Allow) };

const takesAnything = `Takes any query and any body up to ${maxBodyBytes} bytes, of which the first ${shownBodyBytes} are shown.`;

export const methodsArea: Area = {
  name: 'methods',
  title: 'HTTP methods',
  isOpen: true,
  isAnyQueryTaken: true,
  start: '/api/methods/any',
  index: '/api/methods',
  summary: 'An endpoint per HTTP verb that answers with the request as it arrived.',
  banner: (baseUrl) => ['First try', `curl ${baseUrl}/api/methods/get`],
  examples: () => methodExamples,
  presets: [
    { title: 'a query', method: 'GET', path: '/api/methods/get?hello=world' },
    { title: 'wrong verb', method: 'DELETE', path: '/api/methods/get' },
  ],
  collections: [{ adaptations: { getMethodsGet: { call: 'A query' } } }],

  addRoutes(app, { clock }) {
    for (const { method, path } of endpoints) {
      if (method === 'HEAD' || method === 'OPTIONS' || method === 'ANY') continue;
      app.route({
        method,
        url: path,
        exposeHeadRoute: false,
        schema: {
          summary: `Describes a ${method} request`,
          description: takesAnything,
          described: { querystring: anyQuery, ...anyBody },
          response: { 200: echoSchema, 413: errorSchema },
        },
        handler: (request) => echo(request, clock),
      });
    }

    app.route({
      method: 'HEAD',
      url: '/api/methods/head',
      schema: {
        summary: 'Answers with headers only',
        description:
          'HEAD has no body in its answer, so what there is to say stands in X-Method and X-Message.',
        described: { querystring: anyQuery },
        response: { 200: Type.Unsafe<undefined>({ type: 'null' }) },
        responseHeaders: { 200: echoHeaders },
      },
      handler: async (_request, reply) => {
        reply.header('x-method', 'HEAD').header('x-message', receivedMessage('HEAD'));
        return reply.send(undefined);
      },
    });

    app.route({
      method: 'OPTIONS',
      url: '/api/methods/options',
      schema: {
        summary: 'Lists the method endpoints',
        description: 'A plain OPTIONS request; preflights of browsers are answered as such.',
        response: { 200: optionsSchema },
        responseHeaders: { 200: allowedMethods },
      },
      handler: async (_request, reply) => {
        reply.header('allow', 'OPTIONS');
        return {
          method: 'OPTIONS',
          message: receivedMessage('OPTIONS'),
          endpoints: [...endpoints],
        };
      },
    });

    app.route({
      method: METHODS as HTTPMethods[],
      url: '/api/methods/any',
      exposeHeadRoute: false,
      schema: {
        summary: 'Describes a request of any verb',
        description: takesAnything,
        described: { querystring: anyQuery, ...anyBody },
        response: { 200: anySchema, 413: errorSchema },
        responseHeaders: { 200: anyHeaders, 413: anyHeaders },
      },
      handler: async (request, reply) => {
        const { method } = request;
        reply.header('x-method', method).header('x-message', receivedMessage(method));
        if (method === 'OPTIONS') reply.header('allow', METHODS.join(', '));
        return {
          ...(await echo(request, clock)),
          headers: listHeaders(request.raw.rawHeaders),
          ip: request.ip,
          httpVersion: request.raw.httpVersion,
        };
      },
    });
  },
};

/** Answers at once when there is no body to wait for, which is the common case. */
function echo(request: FastifyRequest, clock: Clock) {
  return hasBody(request.raw) ? echoBody(request, clock) : describe(request, noBody, clock);
}

async function echoBody(request: FastifyRequest, clock: Clock) {
  const body = await readBody(request, shownBodyBytes);
  const record = describe(request, body, clock);
  if (body.isTruncated) return record;
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  return { ...record, ...(await parseBody(contentType, body.bytes, contentEncoding)) };
}

function describe(request: FastifyRequest, body: RequestBody, clock: Clock) {
  const facts = {
    method: request.method,
    url: originForm(request.raw.url ?? ''),
    query: request.query as object,
    contentType: request.headers['content-type'],
    body,
  };
  return describeRequest(facts, clock());
}
