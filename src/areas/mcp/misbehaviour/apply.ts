/** Applies a misbehaviour to the requests and responses that it is about. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { readerOf } from '../judge/memory.js';
import { noteRule } from '../judge/watch.js';
import { canaryUrl } from './canary.js';
import type { Case, Met, Wire } from './case.js';
import type { Misbehaviour } from './choose-misbehaviour.js';
import { caseOf } from './misbehaviours.js';
import { meetStep, type Step } from './runs.js';

/** A request at an address that misbehaves. */
export interface Meeting extends Met {
  readonly misbehaviour: Misbehaviour;
}

/** Returns the case, if it acts on this method and revision. */
function actingCase({ misbehaviour, method, isStateless }: Meeting): Case | undefined {
  const found = caseOf(misbehaviour.name);
  const { methods, only } = found;
  const isOfRevision = only === undefined || (only === 'stateless') === isStateless;
  return isOfRevision && methods.includes(method) ? found : undefined;
}

function note(
  { request, misbehaviour }: Meeting,
  change: (step: Step, nowMs: number) => Step = (step) => step,
): Promise<Step | undefined> {
  return meetStep(request, misbehaviour, (step, nowMs) =>
    change(
      { ...step, metAtMs: step.metAtMs ?? nowMs, lastAtMs: nowMs, count: (step.count ?? 0) + 1 },
      nowMs,
    ),
  );
}

/** Throws the failures of some misbehaviours instead of a response. */
export async function failInstead(meeting: Meeting): Promise<void> {
  const failure = await actingCase(meeting)?.fail?.(meeting, (change) => note(meeting, change));
  if (failure !== undefined) throw failure;
}

/** Returns the wrong response; the same one if only its way is wrong. */
export async function distort(meeting: Meeting, response: JsonObject): Promise<JsonObject> {
  const found = actingCase(meeting);
  if (found === undefined || found.fail !== undefined || !isObject(response.result)) {
    return response;
  }
  const { request, misbehaviour } = meeting;
  const reader = readerOf(request.headers);
  const step = await note(meeting, (each) => ({ ...each, reader: each.reader ?? reader }));
  const { rule, reachesRule = () => true } = found;
  if (rule !== undefined && reachesRule(step, reader)) await noteRule(request, rule);
  const met = { ...meeting, canary: canaryUrl(request, misbehaviour), count: step?.count ?? 1 };
  return found.response?.(response, { ...met, reader }) ?? response;
}

/** Returns how a response is sent wrongly; `undefined` sends it as usual. */
export function wireOf(meeting: Meeting, response: JsonObject): Wire | undefined {
  return isObject(response.result) ? actingCase(meeting)?.wire?.(response, meeting) : undefined;
}

/** Throws the failure of a misbehaviour instead of the stream of a session. */
export async function failToListen(request: Request, misbehaviour: Misbehaviour): Promise<void> {
  const { listen } = caseOf(misbehaviour.name);
  if (listen === undefined) return;
  await meetStep(request, misbehaviour, (step, nowMs) => ({ ...step, metAtMs: nowMs }));
  throw listen();
}

/** Returns the URL for messages that the first event of an old stream has instead of the right one. */
export async function wrongEndpoint(
  request: Request,
  misbehaviour: Misbehaviour,
): Promise<string | undefined> {
  const { endpoint, rule } = caseOf(misbehaviour.name);
  if (endpoint === undefined) return undefined;
  await meetStep(request, misbehaviour, (step, nowMs) => ({ ...step, metAtMs: nowMs }));
  if (rule !== undefined) await noteRule(request, rule);
  return endpoint(request, misbehaviour);
}
