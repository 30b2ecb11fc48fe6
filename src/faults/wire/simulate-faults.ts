/** Delays and failures that a caller asks for, to see what their client makes of them. */

import type { ServerResponse } from 'node:http';
import type { Awaitable } from '../../base/awaitable.js';
import { gotParameter } from '../../base/text/got-value.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { companionsOf } from '../../http/status/status-companions.js';
import type { Area, Services } from '../../kit/area.js';
import type { Step } from '../../kit/endpoint.js';
import type { Sandbox } from '../../state/state.js';
import { isToFail, maxKeyLength, maxTimes } from '../plan/count-failures.js';
import type { FaultPlan } from '../plan/fault-plan.js';
import { plannedFaults } from './planned-faults.js';
import { resourcePath } from './resource-path.js';

const maxDelaySeconds = 10;
const seconds = /^\d{1,2}(?:\.\d{1,3})?$/;
const wholeNumber = /^\d{1,4}$/;
const errorStatus = /^[45]\d\d$/;

export interface Fault {
  readonly delayMs: number;
  /** 400 to 599, or none. */
  readonly status: number | undefined;
  /** How many requests fail; all without it. */
  readonly times?: number;
  /** What they are counted by; method and path without it. */
  readonly key?: string;
}

/** `what` is read after the name of the parameter, such as `must be seconds from 0 to 10`; `value` is what came. */
type OnBadValue = (parameter: string, what: string, value: unknown) => void;

/**
 * Parses `delay` (seconds, at most 10) and `error` (a status from 400 to 599), and beside that `times` and
 * `key`. Other values are told to `onBadValue`, and count as none when it returns.
 */
export function parseFault(
  query: Readonly<Record<string, unknown>>,
  onBadValue: OnBadValue,
): Fault | undefined {
  const { delay, error } = query;
  if (delay === undefined && error === undefined) return undefined;
  const delayMs = isText(delay, seconds) ? Number(delay) * 1000 : undefined;
  const isDelayed = delayMs !== undefined && delayMs <= maxDelaySeconds * 1000;
  if (delay !== undefined && !isDelayed) {
    onBadValue('delay', `must be seconds from 0 to ${maxDelaySeconds}`, delay);
  }
  const status = isText(error, errorStatus) ? Number(error) : undefined;
  if (error !== undefined && status === undefined) {
    onBadValue('error', 'must be a status from 400 to 599', error);
  }
  if (!isDelayed && status === undefined) return undefined;
  const limits = status === undefined ? {} : parseLimits(query, onBadValue);
  return { delayMs: isDelayed ? delayMs : 0, status, ...limits };
}

function parseLimits(
  { times, key }: Readonly<Record<string, unknown>>,
  onBadValue: OnBadValue,
): Pick<Fault, 'times' | 'key'> {
  const count = isText(times, wholeNumber) ? Number(times) : undefined;
  const isCount = count !== undefined && count >= 1 && count <= maxTimes;
  if (times !== undefined && !isCount) {
    onBadValue('times', `must be an integer from 1 to ${maxTimes}`, times);
  }
  const isKey = typeof key === 'string' && key.length >= 1 && key.length <= maxKeyLength;
  if (key !== undefined && !isKey) {
    onBadValue('key', `must be 1 to ${maxKeyLength} characters, given once`, undefined);
  }
  return { ...(isCount && { times: count }), ...(isKey && { key }) };
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

/** What helps a client beyond what HTTP asks for. */
const retryAfter = { 'retry-after': '1' };

/**
 * Makes the step that simulates what the sandbox has planned, and else what the query requests. With
 * `isAnyQueryTaken` the endpoints take parameters of any name and value, so only well-formed ones are ours;
 * elsewhere others are rejected with 400.
 */
export function simulateFaults(
  area: Pick<Area, 'defaults' | 'failures'>,
  services: Services,
  methodsAt: (target: string) => readonly string[] | undefined,
): Step {
  const { planFor, meet } = plannedFaults(area, services, methodsAt);
  const onBadValue = area.defaults?.isAnyQueryTaken ? () => {} : reject;

  return (request, reply) => {
    const plan = planFor(request);
    return plan === undefined ? askQuery(request, reply) : askPlan(plan, request, reply);
  };

  /** Lets the request meet the plan, which may be on its way here, and else what its query requests. */
  async function askPlan(
    planned: Awaitable<FaultPlan | undefined>,
    request: Request,
    reply: Reply,
  ): Promise<void> {
    const plan = await planned;
    if (plan === undefined || !(await meet(plan, request, reply))) await askQuery(request, reply);
    else reply.hijack();
  }

  function askQuery(request: Request, reply: Reply): Promise<void> | void {
    const { takesEverything, delaysItself } = request.route?.spec ?? {};
    if (takesEverything) return;
    const query = request.query as Record<string, unknown>;
    const fault = parseFault(delaysItself ? { ...query, delay: undefined } : query, onBadValue);
    if (fault === undefined) return;
    return actOut(fault, request, reply).then((failure) => {
      // A client that left has no use for the rest.
      if (failure !== undefined && !reply.raw.destroyed) throw failure;
    });
  }

  /** Waits as long as asked, or until the service stops or the client leaves; returns the failure, if any. */
  async function actOut(
    fault: Fault,
    request: Request,
    reply: Reply,
  ): Promise<HttpError | undefined> {
    const isFailing = fault.status !== undefined && (await isStillToFail(fault, request));
    const isPassing = fault.status !== undefined && !isFailing && fault.delayMs === 0;
    if (!isPassing) reply.header('x-simulated', 'true');
    if (fault.delayMs > 0) await services.held.hold(request, reply, fault.delayMs).ended;
    const methodsHere = () => methodsAt(request.url) ?? [];
    return isFailing ? failureOf(fault, reply.raw, methodsHere) : undefined;
  }

  /** A stranger, where accounts are required, has none but what is told apart by address. */
  function sandboxOf(request: Request): Sandbox {
    const isStranger = services.config.accounts === 'required' && request.accountId === undefined;
    return isStranger ? services.sharedSandbox : services.sandboxOf(request);
  }

  function isStillToFail({ times, key }: Fault, request: Request): Awaitable<boolean> {
    if (times === undefined) return true;
    const own = key ?? `${request.method} ${resourcePath(request)}`;
    return isToFail(sandboxOf(request), request.ip, own, times);
  }
}

function reject(field: string, what: string, value: unknown): never {
  const message = `${field} ${what}${gotParameter(field, value)}.`;
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

function failureOf(
  { status }: Fault,
  response: ServerResponse,
  methodsHere: () => readonly string[],
): HttpError | undefined {
  if (status === undefined) return undefined;
  const isTransient = status === 429 || status === 503;
  return new HttpError(status, `This failure was asked for by ?error=${status}.`, {
    headers: { ...companionsOf(status, response, methodsHere), ...(isTransient && retryAfter) },
    ...(status === 429 && { body: { retryAfter: 1 } }),
  });
}
