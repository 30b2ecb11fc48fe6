/** Chooses the misbehaviour of a response: by the case of a run, by the query, or by the script. */

import type { Request } from '#http/exchange.js';
import { readTestRun } from '#kit/verdict/test-runs.js';
import { mistake } from '../messages/mistake.js';
import { runCaseOf } from '../messages/mount.js';
import { llmRuns } from '../plan/runs.js';
import { readSettings } from '../script/script.js';
import { cases, type Misbehaviour } from '../streams/cases.js';
import { readMisbehaviour } from '../streams/read-misbehaviour.js';

/** Throws 404 for an unknown run or case, and 400 for an unknown name or place. */
export async function chooseMisbehaviour(request: Request): Promise<Misbehaviour | undefined> {
  const runCase = runCaseOf(request);
  if (runCase !== undefined) {
    await readTestRun(llmRuns, request.sandbox, runCase.run, runCase);
    return cases.get(runCase.name);
  }
  const { misbehave, at } = request.query as { misbehave?: unknown; at?: unknown };
  if (misbehave === undefined && at !== undefined) {
    throw mistake(400, 'It needs the parameter misbehave.', { param: 'at' });
  }
  if (misbehave === undefined) return (await readSettings(request.sandbox)).misbehave;
  return readMisbehaviour(misbehave, at);
}
