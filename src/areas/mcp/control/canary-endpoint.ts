/** The canary URLs. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { endpoint } from '#kit/endpoint.js';
import { misbehaviourRules } from '../judge/input-rules.js';
import { noteRule } from '../judge/watch.js';
import { canaryPath } from '../misbehaviour/canary.js';
import { caseOf, isMisbehaviour } from '../misbehaviour/misbehaviours.js';
import { changeStep, looseRun, mcpRuns } from '../misbehaviour/runs.js';

export const canaryEndpoint = endpoint(['GET', 'POST', 'HEAD'], canaryPath, {
  // No right client requests it.
  hide: true,
  params: { run: Type.String(), name: Type.String() },
  responses: { 204: Type.Null() },
  async handle(request, reply) {
    await note(request);
    return reply.code(204).send();
  },
});

/** Ignores names of no misbehaviour, and runs that are over. */
async function note(request: Request): Promise<void> {
  const { sandbox, method, headers, id } = request;
  const { run, name } = request.params as { run: string; name: string };
  if (!isMisbehaviour(name)) return;
  if (run !== looseRun && (await sandbox.read(mcpRuns.space, run)) === undefined) return;
  await changeStep(sandbox, { run, name }, (step) => ({ ...step, acceptedBy: id }));
  const { rule } = caseOf(name);
  if (rule !== undefined) await noteRule(request, rule, `${method} of the URL of ${name}`);
  const sent = headers.authorization === undefined ? undefined : 'Authorization at another URL';
  await noteRule(request, misbehaviourRules.token, sent);
}
