/** Chooses a misbehaviour: by the run in the path, by the query, or by the settings. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';
import { isMisbehaviour, isOfLogin, type MisbehaviourName, queryNames } from './misbehaviours.js';
import { looseRun, mcpRuns } from './runs.js';

export interface Misbehaviour {
  readonly name: MisbehaviourName;
  readonly run: string;
  /** Absolute path of the MCP address, below the base URL. */
  readonly path: string;
}

interface Settings {
  readonly misbehave: MisbehaviourName | null;
}

const settingsSpace: Space<Settings> = { name: 'mcp-settings', maxKeys: 1 };
const settingsKey = 'all';

export async function readSettings(sandbox: Sandbox): Promise<Settings> {
  const stored =
    sandbox.name === sharedSandboxName ? undefined : await sandbox.read(settingsSpace, settingsKey);
  return stored ?? { misbehave: null };
}

export async function writeSettings(sandbox: Sandbox, settings: Settings): Promise<void> {
  await sandbox.update(settingsSpace, settingsKey, () => ({ value: settings, result: undefined }));
}

/** Throws 404 for an unknown run, and 400 for an unknown name. */
export async function chooseMisbehaviour(
  { params, query, sandbox }: Request,
  path: string,
): Promise<Misbehaviour | undefined> {
  const { misbehave, run: inQuery } = query as { misbehave?: unknown; run?: unknown };
  const { run = inQuery, name = misbehave } = params as { run?: unknown; name?: unknown };
  if (run !== undefined) {
    const isKnown =
      typeof run === 'string' && (await sandbox.read(mcpRuns.space, run)) !== undefined;
    if (!isMisbehaviour(name) || !isKnown) throw mcpRuns.unknown('case');
    return { name, run, path };
  }
  if (misbehave === undefined) {
    const { misbehave: set } = await readSettings(sandbox);
    return set === null ? undefined : { name: set, run: looseRun, path };
  }
  if (!isMisbehaviour(misbehave) || isOfLogin(misbehave)) {
    throw new HttpError(400, `misbehave must be one of ${queryNames.join(', ')}.`);
  }
  return { name: misbehave, run: looseRun, path };
}
