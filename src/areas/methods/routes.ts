/** An endpoint per HTTP method, each of which returns the request as it arrived. */

import { METHODS } from 'node:http';
import { type Awaitable, type Clock, whenKnown } from '../../base/awaitable.js';
import type { Reply, Request } from '../../http/exchange.js';
import { jsonContentType } from '../../http/http-error.js';
import { TextOfBytes } from '../../http/json/json-pieces.js';
import { sendLargeJson, writeAhead } from '../../http/json/large-json.js';
import { originForm } from '../../http/origin-form.js';
import {
  hasBody,
  noBody,
  type RequestBody,
  readBody,
  reserveUntilResponse,
} from '../../http/request-body.js';
import { prefixOf, sentTargetOf } from '../../http/sandbox-address.js';
import type { Area } from '../../kit/area.js';
import { doLongWork } from '../../kit/limits/long-work.js';
import {
  describeRequest,
  type EchoRecord,
  receivedMessage,
  shownBodyBytes,
} from './describe-request.js';
import { firstPreset, methodExamples } from './examples.js';
import { listHeaders } from './list-headers.js';
import { type ParsedBody, parseBody } from './parse-body.js';
import { describeAny, describeMethod, listEndpoints, responseHead, traceBack } from './schemas.js';
import { traceContentType, traceMessage } from './trace-message.js';

const noMembers = {};

/** Every path under /api/methods and the method it supports; `ANY` stands for all of them. */
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

export const methodsArea: Area = {
  name: 'methods',
  title: 'HTTP methods',
  guide: 'methods',
  defaults: {
    isOpen: true,
    isAnyQueryTaken: true,
  },
  front: {
    start: '/api/methods/any',
    index: '/api/methods',
    banner: (baseUrl) => ['First try', `curl ${baseUrl}/api/methods/get`],
    examples: () => methodExamples,
    presets: [firstPreset, { title: 'wrong method', method: 'DELETE', path: '/api/methods/get' }],
  },
  summary: 'An endpoint per HTTP method that responds with the request as it arrived.',
  postman: [{ adaptations: { getMethodsGet: { call: 'A query' } } }],
  addRoutes(app, { clock }) {
    // Responds at once when there is no body to wait for, which is the common case.
    const sendEcho = (request: Request, reply: Reply) =>
      hasBody(request.raw)
        ? echoBody(request, reply, clock, noMembers)
        : describe(request, noBody, clock);
    for (const { method, path: url } of endpoints) {
      if (method === 'HEAD' || method === 'OPTIONS' || method === 'ANY') continue;
      const schema = describeMethod(method);
      app.route(method, url, { isHeadAdded: false, schema }, sendEcho);
    }
    app.head('/api/methods/head', { schema: responseHead }, giveHead);
    app.options('/api/methods/options', { schema: listEndpoints }, giveEndpoints);
    app.route('TRACE', '/api/methods/any', { schema: traceBack }, giveBack);
    app.route(
      METHODS.filter((method) => method !== 'TRACE'),
      '/api/methods/any',
      { schema: describeAny },
      (request, reply) => giveEverything(request, reply, clock),
    );
  },
};

async function giveHead(_request: Request, reply: Reply) {
  reply.header('x-method', 'HEAD').header('x-message', receivedMessage('HEAD'));
  return reply.send(undefined);
}

async function giveEndpoints({ raw }: Request, reply: Reply) {
  reply.header('allow', 'OPTIONS');
  const prefix = prefixOf(raw);
  return {
    method: 'OPTIONS',
    message: receivedMessage('OPTIONS'),
    endpoints: endpoints.map(({ method, path }) => ({ method, path: prefix + path })),
  };
}

async function giveBack({ raw }: Request, reply: Reply) {
  reply.header('x-method', 'TRACE').header('x-message', receivedMessage('TRACE'));
  reply.type(traceContentType);
  return traceMessage(raw);
}

async function giveEverything(request: Request, reply: Reply, clock: Clock) {
  const { method } = request;
  reply.header('x-method', method).header('x-message', receivedMessage(method));
  if (method === 'OPTIONS') reply.header('allow', METHODS.join(', '));
  const received = {
    headers: listHeaders(request.raw.rawHeaders),
    ip: request.ip,
    httpVersion: request.raw.httpVersion,
  };
  return hasBody(request.raw)
    ? echoBody(request, reply, clock, received)
    : Object.assign(describe(request, noBody, clock), received);
}

/** Sends the record of a request with a body, and other members after it; a long body while the client takes it. */
async function echoBody<Members extends object>(
  request: Request,
  reply: Reply,
  clock: Clock,
  members: Members,
): Promise<EchoRecord & Members> {
  const body = await readBody(request, shownBodyBytes);
  const record = describe(request, body, clock);
  const isLarge = record.body instanceof TextOfBytes;
  if (!body.isTruncated) {
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
    const parse = () => parseBody(contentType, body.bytes, contentEncoding);
    const parsing = isLarge ? parseLarge(request, reply, body, parse) : parse();
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    const faults = [record.parseError, parsed.parseError].filter((fault) => fault !== undefined);
    // Not by spreading both into a third, which takes as long as parsing a small body.
    Object.assign(record, parsed, faults.length > 1 && { parseError: faults.join(' ') });
  }
  const whole = Object.assign(record, members);
  return isLarge ? sendLargeJson(request, reply.type(jsonContentType), whole) : whole;
}

function parseLarge(
  request: Request,
  reply: Reply,
  { bytes }: RequestBody,
  parse: () => Awaitable<ParsedBody>,
): Promise<ParsedBody> {
  // Its text, the text that is parsed, and what becomes of that.
  reserveUntilResponse(request, reply, 3 * bytes.length);
  return doLongWork(request, () => {
    if (reply.raw.destroyed) return {};
    return whenKnown(parse(), (parsed) =>
      'json' in parsed ? { ...parsed, json: writeAhead(request, reply, parsed.json) } : parsed,
    );
  });
}

function describe(request: Request, body: RequestBody, clock: Clock) {
  const facts = {
    method: request.method,
    url: originForm(sentTargetOf(request.raw)),
    query: request.query as object,
    contentType: request.headers['content-type'],
    body,
  };
  return describeRequest(facts, clock());
}
