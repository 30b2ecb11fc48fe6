/** What all streams of the area accept and return. */

import { Type } from 'typebox';
import { bytesOf } from '../../http/schemas/bytes-of.js';

export const lastEventId = {
  header: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The id of the last event that was seen.' }),
  ),
  query: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The same, for clients that can set no headers.' }),
  ),
};

export const events = {
  200: bytesOf('text/event-stream'),
};

export const streamHeaders = { 200: { 'X-Accel-Buffering': Type.Literal('no') } };
