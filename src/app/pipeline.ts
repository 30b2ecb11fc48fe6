/** Runs the steps of a request one after the other, and then the handler. */

import type { Reply, Request, Route } from '../http/exchange.js';
import type { AnySpec, Step } from '../kit/endpoint.js';

export interface Way {
  readonly route?: Route;
  readonly steps: readonly Step[];
  readonly handle: AnySpec['handle'];
}

/**
 * Runs the steps from an index on, and then the handler, whose value becomes the response. A thrown
 * error also becomes the response; a step that sends a response ends the run.
 */
export function takeWay(way: Way, request: Request, reply: Reply, from = 0): void {
  const { steps, handle } = way;
  const fail = (error: unknown) => request.exchanges.fail(error, request, reply);
  try {
    for (let place = from; place < steps.length; place++) {
      const pending = steps[place]?.(request, reply);
      if (pending !== undefined) {
        pending.then(() => reply.isDone || takeWay(way, request, reply, place + 1), fail);
        return;
      }
      if (reply.isSent || reply.raw.destroyed) return;
    }
    const result = handle(request, reply);
    if (result instanceof Promise) {
      const send = (value: unknown) => {
        // Without a value, the handler has sent the response itself, or the client has left.
        const { headersSent, req, destroyed } = reply.raw;
        const isUnanswered = !headersSent && !destroyed && !req.socket.destroyed;
        if (value !== reply && (value !== undefined || isUnanswered)) reply.send(value);
      };
      result.then(send).catch(fail);
    } else if (result !== undefined && result !== reply) {
      reply.send(result);
    }
  } catch (error) {
    fail(error);
  }
}
