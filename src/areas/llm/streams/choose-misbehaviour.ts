/** Chooses the misbehaviour of a response: by the case of a run, by the query, or by the script. */

import type { Request } from '../../../http/exchange.js';
import { mistake } from '../exchange/mistake.js';
import { runCaseOf } from '../exchange/mount.js';
import { checkCase } from '../plan/runs.js';
import { readSettings } from '../script/script.js';
import { brokenStream, cases, isStreamName, type Misbehaviour } from './cases.js';

/** Throws 404 for an unknown run or case, and 400 for an unknown name or place. */
export async function chooseMisbehaviour(request: Request): Promise<Misbehaviour | undefined> {
  const runCase = runCaseOf(request);
  if (runCase !== undefined) {
    await checkCase(request.sandbox, runCase);
    return cases.get(runCase.name);
  }
  const { misbehave, at } = request.query as { misbehave?: unknown; at?: unknown };
  if (misbehave === undefined && at !== undefined) {
    throw mistake(400, 'It needs the parameter misbehave.', { param: 'at' });
  }
  if (misbehave === undefined) return (await readSettings(request.sandbox)).misbehave;
  return readMisbehaviour(misbehave, at);
}

/** Without a place, it is the first place of the table. */
export function readMisbehaviour(name: unknown, at: unknown): Misbehaviour {
  if (!isStreamName(name)) {
    throw mistake(400, 'Unknown broken stream. GET /llm/test-plan lists them.', {
      param: 'misbehave',
    });
  }
  const allowed = brokenStream(name).at;
  const place = at === undefined ? allowed[0] : allowed.find((each) => each === at);
  if (place === undefined) {
    throw mistake(400, `Use ${allowed.join(', ')} with ${name}.`, { param: 'at' });
  }
  return { name, at: place };
}
