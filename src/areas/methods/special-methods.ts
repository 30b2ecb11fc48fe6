/** HEAD, OPTIONS and TRACE, whose responses are not an echo. */

import { Type } from 'typebox';
import { prefixOf, sentTargetOf } from '../../http/address/sandbox-address.js';
import { allowedMethods } from '../../http/schemas/header-schemas.js';
import { anyQuery } from '../../kit/describe/any-body.js';
import { endpoint, unvalidated } from '../../kit/endpoint.js';
import { receivedMessage } from './describe-request.js';
import { echoedMethods, methodHeaders, pathOf, setMethodHeaders } from './echo.js';

const text = Type.String();

export const sendHead = endpoint('HEAD', pathOf('head'), {
  summary: 'Get only the headers',
  description: 'The response to HEAD has no body, so X-Method and X-Message describe the request.',
  query: unvalidated(anyQuery),
  responses: { 200: Type.Null() },
  responseHeaders: { 200: methodHeaders },
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

/** Headers that may hold a credential. A page that cannot read its cookies could read them in the response. */
const sensitive = /auth|cookie|credential|key|passw|secret|signature|token/i;

export const sendBack = endpoint('TRACE', pathOf('any'), {
  summary: 'Send a TRACE request back',
  description:
    'The request line and the headers as they arrived, without those that may hold credentials.',
  query: unvalidated(anyQuery),
  responses: {
    200: { description: 'The request.', content: { 'message/http': { schema: text } } },
  },
  responseHeaders: { 200: methodHeaders },
  handle({ raw }, reply) {
    const { rawHeaders, httpVersion } = raw;
    const lines = [`TRACE ${sentTargetOf(raw)} HTTP/${httpVersion}`];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      if (!sensitive.test(name)) lines.push(`${name}: ${rawHeaders[index + 1]}`);
    }
    return setMethodHeaders(reply, 'TRACE')
      .type('message/http')
      .send(`${lines.join('\r\n')}\r\n\r\n`);
  },
});
