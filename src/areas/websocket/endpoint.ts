/** What an endpoint of the area is: a path that becomes a WebSocket. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { errorSchema } from '../../server/error-schema.js';
import { faultParameters } from '../../server/fault-parameters.js';

export const socketPath = '/api/ws';

type Parameters = Readonly<Record<string, TSchema>>;

/** A handler whose query and path the schema has checked. */
export type SocketHandler<Query = object, Path = object> = (
  request: FastifyRequest<{ Querystring: Query; Params: Path }>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** The responses of every such path; `more` adds to it. */
export function socketSchema(
  summary: string,
  description: string,
  parameters: Parameters = {},
  more: Readonly<Record<number, TSchema>> = {},
) {
  return {
    summary,
    description,
    querystring: Type.Object(
      { ...faultParameters, ...parameters },
      { additionalProperties: false },
    ) as TSchema,
    response: {
      101: Type.Null({ description: 'The connection is a WebSocket from here on.' }),
      426: errorSchema,
      ...more,
    },
    responseHeaders: {
      101: {
        Upgrade: Type.Literal('websocket'),
        'Sec-WebSocket-Accept': Type.String({ description: 'What the key becomes.' }),
        'Sec-WebSocket-Protocol': Type.Optional(Type.String()),
        'Sec-WebSocket-Extensions': Type.Optional(Type.String()),
      },
      426: { Upgrade: Type.Literal('websocket') },
    },
  };
}

/** Seconds, as everywhere: with decimals. */
export const seconds = (description: string, usual: number, maximum: number, minimum = 0) =>
  Type.Number({ minimum, maximum, default: usual, description });
