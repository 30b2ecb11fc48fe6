/** Simulates the faults of a plan or of a query. */

import type { ServerResponse } from 'node:http';
import type { Awaitable } from '#base/awaitable.js';
import { gotParameter } from '#base/text/got-value.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { isPreflight } from '#http/preflight.js';
import { companionsOf } from '#http/status/status-companions.js';
import type { Step } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import { isToFail, maxKeyLength, maxTimes } from '../plan/count-failures.js';
import type { FaultPlan } from '../plan/fault-plan.js';
import { readPlan } from '../plan/plans-in-state.js';
import {
  type Arrived,
  type FaultContext,
  ignoreUnavailable,
  resourcePath,
  simulatePlannedFault,
} from './planned-faults.js';

const maxDelaySeconds = 10;
const seconds = /^\d{1,2}(?:\.\d{1,3})?$/;
const wholeNumber = /^\d{1,4}$/;
const errorStatus = /^[45]\d\d$/;

interface Fault {
  readonly delayMs: number;
  readonly status: number | undefined;
  /** Number of requests that fail. Default: all. */
  readonly times?: number;
  /** Groups requests for counting. Default: method and path. */
  readonly key?: string;
}

/** `what` follows the name of the parameter, such as `must be seconds from 0 to 10`. */
type OnBadValue = (parameter: string, what: string, value: unknown) => void;

/** Parses `delay`, `error`, `times` and `key`. Ignores malformed values if `onBadValue` returns. */
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

/**
 * Makes the step that simulates the fault plan of the sandbox, or else the faults of the query.
 */
export function simulateFaults(
  area: FaultContext['area'],
  services: Services,
  methodsAt: FaultContext['methodsAt'],
): Step {
  const { isBeyondPlans, queryFaults } = area.defaults ?? {};
  const context = { area, services, methodsAt };
  const onBadValue = queryFaults === 'lenient' ? () => {} : reject;
  const { sharedSandbox, sandboxOf } = services.sandboxes;
  const isRequired = services.runtime.config.accounts === 'required';

  return (request, reply) => {
    // A caller without an account has no sandbox.
    const isStranger = isRequired && request.accountId === undefined;
    const sandbox = isStranger ? sharedSandbox : sandboxOf(request);
    const found =
      isBeyondPlans || sandbox.name === sharedSandboxName ? undefined : planFor(request, sandbox);
    if (found !== undefined) {
      const timeMs = services.runtime.clock();
      return simulatePlanOrQuery(found, { sandbox, request, reply, timeMs });
    }
    return request.url.includes('?') ? act(sandbox, request, reply) : undefined;
  };

  async function simulatePlanOrQuery(
    found: Awaitable<FaultPlan | undefined>,
    arrived: Arrived,
  ): Promise<void> {
    const { sandbox, request, reply } = arrived;
    const plan = await found;
    const isComplete = plan && (await simulatePlannedFault(context, plan, arrived));
    if (isComplete) reply.hijack();
    else await act(sandbox, request, reply);
  }

  /** Acts on the parameters of the query. */
  function act(sandbox: Sandbox, request: Request, reply: Reply): Promise<void> | undefined {
    const own = request.route?.spec.queryFaults;
    if (own === 'none') return undefined;
    const query = request.query as Record<string, unknown>;
    const fault = parseFault(
      own === 'undelayed' ? { ...query, delay: undefined } : query,
      onBadValue,
    );
    return fault && simulateFault(context, fault, sandbox, reply);
  }
}

/** Waits as requested, or until the service stops or the client leaves; then fails if requested. */
async function simulateFault(
  { services, methodsAt }: FaultContext,
  { delayMs, status, times, key }: Fault,
  sandbox: Sandbox,
  reply: Reply,
): Promise<void> {
  const { request } = reply;
  const name = key ?? `${request.method} ${resourcePath(request)}`;
  const isFailing =
    status !== undefined &&
    (times === undefined || (await isToFail(sandbox, request.ip, name, times)));
  if (isFailing || delayMs > 0 || status === undefined) reply.header('x-simulated', 'true');
  if (delayMs > 0) await services.limits.held.hold(request, reply, delayMs).ended;
  // A client that has left does not need the failure.
  if (!isFailing || reply.raw.destroyed) return;
  throw failureOf(status, reply.raw, () => methodsAt(request.url) ?? []);
}

function isOpenTo(request: Request): boolean {
  const { isOpen } = request.route?.spec ?? {};
  return typeof isOpen === 'function' && isOpen(request);
}

/** Returns the plan for a request, or `undefined` at once if it cannot have one. */
function planFor(request: Request, sandbox: Sandbox): Awaitable<FaultPlan | undefined> {
  // An endpoint that is open to strangers is a page.
  if (isPreflight(request) || isOpenTo(request)) return undefined;
  const plan = readPlan(sandbox);
  return plan instanceof Promise ? plan.catch(ignoreUnavailable) : plan;
}

function reject(field: string, what: string, value: unknown): never {
  const message = `${field} ${what}${gotParameter(field, value)}.`;
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

function failureOf(
  status: number,
  response: ServerResponse,
  methodsHere: () => readonly string[],
): HttpError {
  const isTransient = status === 429 || status === 503;
  return new HttpError(status, `Simulated failure: the request has ?error=${status}.`, {
    headers: {
      ...companionsOf(status, response, methodsHere),
      ...(isTransient && { 'retry-after': '1' }),
    },
    ...(status === 429 && { body: { retryAfter: 1 } }),
  });
}
