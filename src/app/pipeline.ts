/** The way of a request through the service: its steps, one after the other. */

import type { ServerResponse } from 'node:http';
import type { Reply, Request } from '../http/exchange.js';
import type { AnySpec, Step } from '../kit/endpoint.js';

/** Takes the steps from a place on. What one throws becomes the response; what one sends ends the way. */
export function takeSteps(steps: readonly Step[], request: Request, reply: Reply, from = 0): void {
  try {
    for (let place = from; place < steps.length; place++) {
      const pending = (steps[place] as Step)(request, reply);
      if (pending !== undefined) {
        pending.then(
          () => reply.isDone || takeSteps(steps, request, reply, place + 1),
          (error) => request.exchanges.fail(error, request, reply),
        );
        return;
      }
      if (reply.isDone) return;
    }
  } catch (error) {
    request.exchanges.fail(error, request, reply);
  }
}

/** Makes the last step of a handler: what it returns becomes the response. */
export function handlingStep(handle: AnySpec['handle']): Step {
  return (request, reply) => {
    const result = handle(request, reply);
    if (result instanceof Promise) return result.then((value) => respondWith(value, reply));
    if (result !== undefined && result !== reply) reply.send(result);
    return undefined;
  };
}

/** Without a value, the handler has written the response by itself, or there is nothing to send. */
function respondWith(value: unknown, reply: Reply): void {
  if (value === reply) return;
  if (value !== undefined || isUnanswered(reply.raw)) reply.send(value);
}

function isUnanswered({ headersSent, req, destroyed }: ServerResponse): boolean {
  return !headersSent && !destroyed && !req.socket.destroyed;
}
