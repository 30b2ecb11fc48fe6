/** Delays and failures that a caller asks for, to see what their client makes of them. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
  stopping: AbortSignal,
): void {
  function refuse(field: string, takes: string): never {
    const message = `The query parameter ${field} ${takes}.`;
    throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
  }
  const onBadValue = isAnyQueryTaken ? () => {} : refuse;

  app.addHook('onRequest', (request, reply, done) => {
    const fault = parseFault(request.query as Record<string, unknown>, onBadValue);
    if (fault === undefined) return done();
    simulate(fault, reply, stopping, () => methodsAt(request.url) ?? []).then(() => done(), done);
  });
}

async function simulate(
  { delayMs, status }: Fault,
  reply: FastifyReply,
  stopping: AbortSignal,
  methodsHere: () => readonly string[],
): Promise<void> {
  reply.header('x-simulated', 'true');
  // A stop does not wait for delays: their answers come early.
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: stopping }).catch(() => {});
  if (status === undefined) return;
  const allow = status === 405 ? { allow: methodsHere().join(', ') } : {};
  throw new HttpError(status, `This failure was asked for by ?error=${status}.`, {
    headers: { ...companions[status], ...allow },
    ...(status === 429 && { body: { retryAfter: 1 } }),
  });
}
