/** JSON-RPC 2.0 over HTTP. */

import { Type } from 'typebox';
import { isJsonType, readWholeBody } from '#http/body/request-body.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { respondByRpc, rpcMethods } from '#http/json/json-rpc.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import type { Area } from '#kit/area.js';
import { endpoint } from '#kit/endpoint.js';

const path = '/api/jsonrpc';

const call = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  method: Type.String({ description: `One of ${rpcMethods.join(', ')}.` }),
  params: Type.Optional(Type.Unknown()),
  id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
});

const listMethods = endpoint('GET', path, {
  summary: 'List the JSON-RPC methods',
  responses: { 200: Type.Object({ methods: Type.Array(Type.String()) }) },
  handle: () => ({ methods: rpcMethods }),
});

const callMethods = endpoint('POST', path, {
  summary: 'Call a method, or several in a batch',
  description:
    'JSON-RPC errors have status 200 and one of the codes -32700, -32600, -32601, -32602 and -32603. Notifications get no response.',
  onlyReads: true,
  bodies: { 'application/json': Type.Union([call, Type.Array(call, { minItems: 1 })]) },
  responses: {
    200: bytesOf('application/json', 'The response, or an array of responses.'),
    204: Type.Null({ description: 'The request has only notifications.' }),
    413: errorSchema,
    415: errorSchema,
  },
  async handle(request, reply) {
    const type = request.headers['content-type'] ?? '';
    if (!isJsonType(type)) {
      const got = type === '' ? 'none' : `"${type}"`;
      throw new HttpError(415, `Content-Type must be application/json; got ${got}.`);
    }
    const bytes = await readWholeBody(request);
    const response = respondByRpc(bytes);
    if (response === undefined) return reply.code(204).send();
    return reply.header('content-type', jsonContentType).send(Buffer.from(response));
  },
});

export const jsonrpcArea: Area = {
  name: 'jsonrpc',
  title: 'JSON-RPC',
  guide: 'realtime/websocket',
  summary: 'JSON-RPC 2.0 with batches, notifications and all standard error codes.',
  front: {
    group: 'protocols',
    start: path,
    examples: () => [
      {
        title: 'Call a method by name',
        method: 'POST',
        path,
        json: { jsonrpc: '2.0', method: 'subtract', params: [42, 23], id: 1 },
        response: { status: 200, has: '"result":19' },
      },
    ],
  },
  endpoints: () => [listMethods, callMethods],
};
