/** Replays a request with a service that only this test has. */

import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Request } from '../../../src/http/exchange.js';
import { type ReplayOutcome, Replays } from '../../../src/kit/replays/replays.js';
import type { Sandbox } from '../../../src/state/state.js';

/** Returns the outcome of a replay that `respond` responds to. */
export function minimalReplay(respond: (response: ServerResponse) => void): Promise<ReplayOutcome> {
  const replays = new Replays();
  replays.bring({
    enter: () => {},
    handle: (_request: unknown, response: ServerResponse) => respond(response),
  } as never);
  const raw = { headers: {}, response: undefined };
  const from = { raw, socket: new PassThrough() } as unknown as Request;
  const request = { method: 'GET', target: '/', headers: {}, body: Buffer.alloc(0) };
  return replays.run(from, request, {} as Sandbox);
}
