/** What an endpoint of the area is: a path that becomes a WebSocket. */

import { type TSchema, Type } from 'typebox';
import type { Reply, Request } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { faultParameters } from '../../kit/describe/fault-parameters.js';

export const socketPath = '/api/ws';

type Parameters = Readonly<Record<string, TSchema>>;

/** A handler whose query and path the schema has checked. */
export type SocketHandler<Query = object, Path = object> = (
  request: Request<{ Querystring: Query; Params: Path }>,
  reply: Reply,
) => Promise<Reply>;

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
