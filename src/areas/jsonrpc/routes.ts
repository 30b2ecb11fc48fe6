/** JSON-RPC 2.0 over HTTP. */

import { Type } from 'typebox';
import { isJsonType, maxParsedBodyBytes, readBody } from '../../http/body/request-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import { respondByRpc, rpcMethods } from '../../http/json/json-rpc.js';
import { bytesOf } from '../../http/schemas/bytes-of.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Area } from '../../kit/area.js';

const path = '/api/jsonrpc';

const request = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  method: Type.String({ description: `One of ${rpcMethods.join(', ')}.` }),
  params: Type.Optional(Type.Unknown()),
  id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
});

const callSchema = {
  summary: 'Call a method, or several in a batch',
  description:
    'Faults of the protocol are errors of the protocol: -32700, -32600, -32601, -32602 and -32603, with 200. Notifications alone have no response.',
  described: {
    body: { 'application/json': Type.Union([request, Type.Array(request, { minItems: 1 })]) },
  },
  response: {
    200: bytesOf('application/json', 'The response, or a list of them.'),
    204: Type.Null({ description: 'There were notifications alone.' }),
    413: errorSchema,
    415: errorSchema,
  },
};

const indexSchema = {
  summary: 'List the methods that JSON-RPC can call',
  response: { 200: Type.Object({ methods: Type.Array(Type.String()) }) },
};

export const jsonrpcArea: Area = {
  name: 'jsonrpc',
  title: 'JSON-RPC',
  guide: 'realtime/websocket',
  front: {
    start: path,
    examples: () => [
      {
        title: 'Call a method by name',
        method: 'POST',
        path,
        json: { jsonrpc: '2.0', method: 'subtract', params: [42, 23], id: 1 },
        answer: { status: 200, has: '"result":19' },
      },
    ],
  },
  summary: 'JSON-RPC 2.0 with batches, notifications and every error code.',
  addRoutes(app) {
    app.get(path, { schema: indexSchema }, async () => ({ methods: rpcMethods }));
    app.post(path, { schema: callSchema }, call);
  },
};

async function call(request: Request, reply: Reply): Promise<Buffer | null> {
  const type = request.headers['content-type'] ?? '';
  if (!isJsonType(type)) {
    throw new HttpError(
      415,
      `Content-Type must be application/json; got ${type === '' ? 'none' : `"${type}"`}.`,
    );
  }
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  const response = respondByRpc(bytes.toString('utf8'));
  if (response === undefined) {
    reply.code(204);
    return null;
  }
  reply.header('content-type', jsonContentType);
  return Buffer.from(response);
}
