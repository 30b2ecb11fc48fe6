/** Runs requests inside the process, on a sandbox that the caller chooses. */

import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from '#http/exchange.js';
import type { Sandbox } from '#state/state.js';
import { guard } from '#wire/guard.js';
import { WireRequest } from '#wire/request.js';
import type { WireService } from '#wire/wire-service.js';
import { parseResponse, type ReplayedResponse } from './parse-response.js';
import { ReplaySocket } from './replay-socket.js';

export interface ReplayedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type ReplayOutcome = ReplayedResponse | 'too slow' | 'too large' | 'cut';

/** Returns the path of the endpoint for a method and target, such as `/api/Events/:id`. */
export type FindRoute = (method: string, target: string) => string | undefined;

const maxMs = 2_000;
const maxBytes = 1024 * 1024;

export class Replays {
  #service: Pick<WireService, 'enter' | 'handle'> | undefined;
  #findRoute: FindRoute = () => undefined;

  bring(service: Pick<WireService, 'enter' | 'handle'>): void {
    this.#service = service;
  }

  bringRoutes(find: FindRoute): void {
    this.#findRoute = find;
  }

  routeOf(method: string, target: string): string | undefined {
    return this.#findRoute(method, target);
  }

  /** Runs a request as the caller of another one, for at most two seconds and a mebibyte. */
  async run(from: Request, given: ReplayedRequest, sandbox: Sandbox): Promise<ReplayOutcome> {
    const service = this.#service;
    if (service === undefined) throw new Error('The service has not started.');
    const socket = new ReplaySocket(from.socket, maxBytes);
    const message = messageOf(from, given, socket, sandbox);
    const response = new ServerResponse(message);
    response.assignSocket(socket as unknown as Socket);
    const end = new Promise<'finished' | 'cut' | 'too slow'>((resolve) => {
      const timer = setTimeout(
        guard(from.raw, () => resolve('too slow')),
        maxMs,
      );
      response.on(
        'finish',
        guard(from.raw, () => resolve('finished')),
      );
      const end = () => {
        clearTimeout(timer);
        resolve('cut');
      };
      socket.on('close', guard(from.raw, end));
    });
    socket.on('error', () => {});
    service.enter(message);
    service.handle(message, response);
    const outcome = await end;
    socket.destroy();
    if (socket.isTooLarge) return 'too large';
    return outcome === 'finished' ? parseResponse(Buffer.concat(socket.pieces)) : outcome;
  }
}

function messageOf(
  { raw, accountId }: Request,
  { method, target, headers, body }: ReplayedRequest,
  socket: ReplaySocket,
  sandbox: Sandbox,
): WireRequest {
  const message = new WireRequest(socket as unknown as Socket);
  const sent: Record<string, string> = {
    host: raw.headers.host ?? 'localhost',
    ...headers,
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  const { sandboxAddress } = raw;
  Object.assign(message, {
    method,
    url: target,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers: sent,
    rawHeaders: Object.entries(sent).flat(),
    actingSandbox: sandbox,
    ...(accountId !== undefined && { actingAccount: accountId }),
    ...(sandboxAddress && {
      sandboxAddress: { ...sandboxAddress, sentTarget: sandboxAddress.prefix + target },
    }),
  });
  if (body.length > 0) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}
