/** Notes requests that show that a client has accepted a misbehaviour. */

import { isObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { noteRule } from '../judge/watch.js';
import type { Misbehaviour } from './choose-misbehaviour.js';
import { caseOf } from './misbehaviours.js';
import { changeStep, mcpRuns } from './runs.js';

export async function noteAcceptance(
  request: Request,
  misbehaviour: Misbehaviour,
  value: unknown,
  sentAtMs: number,
): Promise<void> {
  const { sandbox, headers, id } = request;
  const { acceptedBy, methods, rule } = caseOf(misbehaviour.name);
  const step = (await sandbox.read(mcpRuns.space, misbehaviour.run))?.steps[misbehaviour.name];
  if (step?.metAtMs === undefined || step.acceptedBy !== undefined) return;
  // A request that was sent before the response cannot accept it.
  if (sentAtMs < step.metAtMs) return;
  const message = isObject(value) ? value : {};
  const params = isObject(message.params) ? message.params : {};
  const method = typeof message.method === 'string' ? message.method : '';
  if (!acceptedBy.isShownBy?.({ method, params, headers, step, sentAtMs, methods })) return;
  await changeStep(sandbox, misbehaviour, (each) => ({ ...each, acceptedBy: id }));
  if (rule !== undefined) await noteRule(request, rule, method);
}
