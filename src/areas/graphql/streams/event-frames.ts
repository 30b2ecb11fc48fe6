/** Responses as events of a stream: the GraphQL over Server-Sent Events Protocol, in both of its modes. */

import { writeEvent } from '../../../http/sending/event-stream.js';

/** How the responses of an operation are told. `body` is JSON. */
export interface Frames {
  next(body: string): string;
  complete(): string;
}

/** Where a connection has one operation. */
export const distinctFrames: Frames = {
  next: (data) => writeEvent({ event: 'next', data }),
  complete: () => writeEvent({ event: 'complete', data: '' }),
};

/** Where a connection has many, which are told apart by ids. */
export function framesOf(id: string): Frames {
  const idJson = JSON.stringify(id);
  return {
    next: (body) => writeEvent({ event: 'next', data: `{"id":${idJson},"payload":${body}}` }),
    complete: () => writeEvent({ event: 'complete', data: `{"id":${idJson}}` }),
  };
}
