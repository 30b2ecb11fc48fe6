/** The canary URLs. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { endpoint } from '../../../kit/endpoint.js';
import { recordObservations } from '../../../kit/verdict/findings.js';
import { sharedSandboxName } from '../../../state/state.js';
import { judgeName } from '../judge/all-rules.js';
import { canaryRules } from '../judge/input-rules.js';
import { canaryPath } from '../misbehaviour/canary.js';
import { isMisbehaviour } from '../misbehaviour/misbehaviours.js';
import { changeStep, looseRun, runSpace } from '../misbehaviour/runs.js';

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
  if (run !== looseRun && (await sandbox.read(runSpace, run)) === undefined) return;
  await changeStep(sandbox, { run, name }, (step) => ({ ...step, acceptedBy: id }));
  if (sandbox.name === sharedSandboxName) return;
  const rule = canaryRules[name as keyof typeof canaryRules];
  const sent = `${method} of the URL of ${name}`;
  const hasToken = headers.authorization !== undefined;
  await recordObservations(sandbox, judgeName, id, [
    ...(rule === undefined ? [] : [{ rule, sent }]),
    ...(hasToken ? [{ rule: canaryRules.token, sent: 'Authorization at another URL' }] : []),
  ]);
}
