/** What the routes of bins take and respond with, and how they are described. */

import { Type } from 'typebox';
import { bytesOf } from '../../http/schemas/bytes-of.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { contentSecurityPolicy, location, noSniff } from '../../http/schemas/header-schemas.js';
import { anyBody, anyQuery } from '../../kit/describe/any-body.js';
import {
  binParamsSchema,
  binSchema,
  binWithRequestsSchema,
  capturedRequestSchema,
  capturedRequestsSchema,
  captureParamsSchema,
  captureResponseSchema,
  changeBinSchema,
  createBinSchema,
  listRequestsQuerySchema,
  requestParamsSchema,
  streamHeadersSchema,
  streamQuerySchema,
  tooManyReadersSchema,
} from './schemas.js';

const faultyBody = { 400: errorSchema, 413: errorSchema, 415: errorSchema };
const done = { type: 'null' };

export const makeBin = {
  summary: 'Create a bin',
  description:
    'The body may be left out. Beyond 100 bins, the oldest is deleted with its captures.',
  body: createBinSchema,
  response: { 201: binSchema, ...faultyBody },
  responseHeaders: { 201: location },
};

export const listBins = {
  summary: 'List the bins, the newest first',
  description:
    'Those of the sandbox that X-Sandbox names, or of the account, without their captures. Requests without X-Sandbox share one sandbox, whose bins are not listed.',
  response: { 200: Type.Array(binSchema), 403: errorSchema },
};

export const showBin = {
  summary: 'Describe a bin, with its captures',
  description: 'Whoever knows the id can read it, from any sandbox.',
  params: binParamsSchema,
  response: { 200: binWithRequestsSchema, 404: errorSchema },
};

export const changeBin = {
  summary: "Change a bin's name or its response",
  description: 'What is left out stays as it is; null removes it.',
  params: binParamsSchema,
  body: changeBinSchema,
  response: { 200: binSchema, ...faultyBody, 404: errorSchema },
};

export const removeBin = {
  summary: 'Delete a bin and its captures',
  description: 'Its address responds with 404 from then on.',
  params: binParamsSchema,
  response: { 204: done, 404: errorSchema },
};

export const listCaptures = {
  summary: "List a bin's captures, or wait for the next",
  description:
    'With ?wait= the response is held back until a capture comes, or the time is over; then the list may be empty or the same.',
  params: binParamsSchema,
  querystring: listRequestsQuerySchema,
  response: {
    200: capturedRequestsSchema,
    400: errorSchema,
    404: errorSchema,
    429: tooManyReadersSchema,
  },
};

export const clearCaptures = {
  summary: 'Delete all captures of a bin',
  description: 'The bin stays, with its name and its response.',
  params: binParamsSchema,
  response: { 204: done, 404: errorSchema },
};

export const showCapture = {
  summary: 'Describe a capture',
  description: 'The body is text where it is UTF-8, and base64 where it is not.',
  params: requestParamsSchema,
  response: { 200: capturedRequestSchema, 404: errorSchema },
};

export const removeCapture = {
  summary: 'Delete a capture',
  description: 'The others keep their ids; streams are not notified.',
  params: requestParamsSchema,
  response: { 204: done, 404: errorSchema },
};

export const giveBody = {
  summary: 'Get the bytes of a captured body',
  description: 'A browser downloads them, whatever they are.',
  params: requestParamsSchema,
  response: { 200: bytesOf('application/octet-stream'), 404: errorSchema },
  responseHeaders: {
    200: {
      'Content-Disposition': Type.Literal('attachment'),
      ...noSniff,
      ...contentSecurityPolicy,
    },
  },
};

const streamHeaders = { 'X-Accel-Buffering': Type.Literal('no') };

export const streamCaptures = {
  summary: 'Stream captures as Server-Sent Events',
  description:
    'An event per capture, its data the capture as JSON and its id the value for Last-Event-ID; without one the stream begins with the next capture. An event named cleared says that the bin was emptied, one named deleted that it is gone.',
  params: binParamsSchema,
  querystring: streamQuerySchema,
  headers: streamHeadersSchema,
  response: {
    200: bytesOf('text/event-stream'),
    400: errorSchema,
    404: errorSchema,
    429: tooManyReadersSchema,
  },
  responseHeaders: { 200: streamHeaders, 429: streamHeaders },
};

const askedStatus = Type.Integer({
  minimum: 200,
  maximum: 599,
  description: 'The status to respond with.',
});

export const capture = {
  summary: 'Capture the request into a bin',
  description:
    "Accepts any method, path below the bin, query, headers and body up to 10 MiB, of which 256 KiB are kept. The response is the bin's own `response`, or a confirmation; `?status=` asks for another status. A browser's preflight is captured, and gets permission.",
  params: captureParamsSchema,
  described: { querystring: { status: Type.Optional(askedStatus), ...anyQuery }, ...anyBody },
  response: {
    200: {
      description: "A confirmation, or what the bin's response says.",
      content: {
        'application/json': { schema: captureResponseSchema },
        '*/*': { schema: Type.Unknown() },
      },
    },
    default: {
      description: "Whatever status ?status= asks for, or the bin's response has; and any failure.",
      content: { '*/*': { schema: Type.Unknown() } },
    },
    400: errorSchema,
    404: errorSchema,
    413: errorSchema,
  },
  responseHeaders: { 200: { ...contentSecurityPolicy, ...noSniff } },
};
