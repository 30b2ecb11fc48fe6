/** Delays and failures that a caller asks for, to see what their client makes of them. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HeldRequests } from './held-requests.js';
import { HttpError } from './http-error.js';
import type { KnownPaths } from './method-not-allowed.js';

const maxDelaySeconds = 10;
const seconds = /^\d{1,2}(?:\.\d{1,3})?$/;
const errorStatus = /^[45]\d\d$/;

export interface Fault {
  readonly delayMs: number;
  /** 400 to 599, or none. */
  readonly status: number | undefined;
}

/**
 * Reads `delay` (seconds, at most 10) and `error` (a status from 400 to 599). Other values are told
 * to `onBadValue`, and count as none when it returns.
 */
export function parseFault(
  query: Readonly<Record<string, unknown>>,
  onBadValue: (parameter: string, message: string) => void,
): Fault | undefined {
  const { delay, error } = query;
  if (delay === undefined && error === undefined) return undefined;
  const delayMs = isText(delay, seconds) ? Number(delay) * 1000 : undefined;
  const isDelayed = delayMs !== undefined && delayMs <= maxDelaySeconds * 1000;
  if (delay !== undefined && !isDelayed) {
    onBadValue('delay', `takes seconds from 0 to ${maxDelaySeconds}, once`);
  }
  const status = isText(error, errorStatus) ? Number(error) : undefined;
  if (error !== undefined && status === undefined) {
    onBadValue('error', 'takes a status from 400 to 599, once');
  }
  if (!isDelayed && status === undefined) return undefined;
  return { delayMs: isDelayed ? delayMs : 0, status };
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

/** What HTTP says a status must come with (RFC 9110 section 15.5, RFC 6585), and what helps. */
const companions: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer realm="simulated"' },
  407: { 'proxy-authenticate': 'Bearer realm="simulated"' },
  426: { upgrade: 'HTTP/2.0' },
  429: { 'retry-after': '1' },
  503: { 'retry-after': '1' },
};

/**
 * Simulates on every route of an application. With `isAnyQueryTaken` the routes take parameters of
 * any name and value, so only well-formed ones are ours; elsewhere others are refused with 400.
 */
export function simulateFaults(
  app: FastifyInstance,
  isAnyQueryTaken: boolean,
  { methodsAt }: KnownPaths,
  held: HeldRequests,
): void {
  function refuse(field: string, takes: string): never {
    const message = `The query parameter ${field} ${takes}.`;
    throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
  }
  const onBadValue = isAnyQueryTaken ? () => {} : refuse;

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.takesEverything) return done();
    const fault = parseFault(request.query as Record<string, unknown>, onBadValue);
    if (fault === undefined) return done();
    wait(fault.delayMs, request, reply, held).then(() => {
      // A client that left has no use for the rest.
      if (!reply.raw.destroyed) done(failureOf(fault, () => methodsAt(request.url) ?? []));
    }, done);
  });
}

/** Waits as long as asked, or until the service stops or the client leaves. */
async function wait(
  delayMs: number,
  request: FastifyRequest,
  reply: FastifyReply,
  held: HeldRequests,
): Promise<void> {
  reply.header('x-simulated', 'true');
  if (delayMs > 0) await held.hold(request, reply, delayMs).ended;
}

function failureOf({ status }: Fault, methodsHere: () => readonly string[]): HttpError | undefined {
  if (status === undefined) return undefined;
  const allow = status === 405 ? { allow: methodsHere().join(', ') } : {};
  return new HttpError(status, `This failure was asked for by ?error=${status}.`, {
    headers: { ...companions[status], ...allow },
    ...(status === 429 && { body: { retryAfter: 1 } }),
  });
}
