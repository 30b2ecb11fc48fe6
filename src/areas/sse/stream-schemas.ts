/** Schemas of all streams of the area. */

import { Type } from 'typebox';
import { bytesOf } from '#http/schemas/bytes-of.js';

export const stream = {
  responses: { 200: bytesOf('text/event-stream') },
  responseHeaders: { 200: { 'X-Accel-Buffering': Type.Literal('no') } },
};

const sequence = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const lastEventId = {
  header: { 'last-event-id': sequence('Id of the last received event.') },
  query: { lastEventId: sequence('The same, for clients that cannot set headers.') },
};
