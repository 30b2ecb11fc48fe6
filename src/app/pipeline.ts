/** Runs the steps of a request one after the other, and then the handler. */

import type { Reply, Request, Route } from '#http/exchange.js';
import type { AnySpec, Step } from '#kit/endpoint.js';

/** The steps of a request, and the handler at their end. */
export interface HandlerChain {
  readonly route?: Route;
  readonly steps: readonly Step[];
  readonly handle: AnySpec['handle'];
}

/**
 * Runs the steps from an index on, and then the handler, whose value becomes the response. A thrown
 * error also becomes the response; a step that sends a response ends the run.
 */
export function runChain(chain: HandlerChain, request: Request, reply: Reply, from = 0): void {
  const { steps, handle } = chain;
  const fail = (error: unknown) => request.exchanges.fail(error, request, reply);
  try {
    for (let index = from; index < steps.length; index++) {
      const pending = steps[index]?.(request, reply);
      if (pending !== undefined) {
        pending.then(() => reply.isDone || runChain(chain, request, reply, index + 1), fail);
        return;
      }
      if (reply.isSent || reply.raw.destroyed) return;
    }
    const result = handle(request, reply);
    if (result instanceof Promise) {
      const send = (value: unknown) => {
        // Without a value, the handler has sent the response itself, or the client has left.
        const { headersSent, req, destroyed } = reply.raw;
        const lacksResponse = !headersSent && !destroyed && !req.socket.destroyed;
        if (value !== reply && (value !== undefined || lacksResponse)) reply.send(value);
      };
      result.then(send).catch(fail);
    } else if (result !== undefined && result !== reply) {
      reply.send(result);
    }
  } catch (error) {
    fail(error);
  }
}
