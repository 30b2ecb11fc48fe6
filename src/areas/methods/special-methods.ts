/** HEAD and OPTIONS, whose responses are not an echo. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import { allowedMethods } from '#http/schemas/header-schemas.js';
import { anyQuery } from '#kit/describe/any-body.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { receivedMessage } from './describe-request.js';
import { echoedMethods, methodHeaders, pathOf, setMethodHeaders } from './echo.js';

const text = Type.String();

export const sendHead = endpoint('HEAD', pathOf('head'), {
  summary: 'Get only the headers',
  description: 'The response to HEAD has no body, so X-Method and X-Message describe the request.',
  query: unvalidated(anyQuery),
  responses: { 200: Type.Null() },
  responseHeaders: { 200: methodHeaders },
  examples: { 'Headers only': {} },
  handle: (_request, reply) => setMethodHeaders(reply, 'HEAD').send(),
});

export const listMethods = endpoint('OPTIONS', pathOf('options'), {
  summary: 'List the method endpoints',
  description: 'A plain OPTIONS request. Browser preflights get the usual preflight response.',
  responses: {
    200: Type.Object({
      method: text,
      message: text,
      endpoints: Type.Array(Type.Object({ method: text, path: text })),
    }),
  },
  responseHeaders: { 200: allowedMethods },
  examples: { 'The endpoints': {} },
  handle({ raw }, reply) {
    reply.header('allow', 'OPTIONS');
    return {
      method: 'OPTIONS',
      message: receivedMessage('OPTIONS'),
      endpoints: [...echoedMethods, 'HEAD', 'OPTIONS', 'ANY'].map((method) => ({
        method,
        path: prefixOf(raw) + pathOf(method),
      })),
    };
  },
});
