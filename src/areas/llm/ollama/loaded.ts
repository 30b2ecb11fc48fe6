/** The models that are loaded, which `GET /api/ps` lists. */

import type { Sandbox, Space } from '#state/state.js';
import type { ModelName } from '../messages/models.js';

interface Loaded {
  readonly untilMs: number;
}

const loadedSpace: Space<Loaded> = { name: 'llm-loaded', maxKeys: 4 };

/** About as long as the provider's clock can count. */
const foreverMs = 290 * 365 * 86_400_000;

/** Loads a model for so long; 0 unloads it. */
export async function load(sandbox: Sandbox, name: ModelName, forMs: number): Promise<void> {
  await sandbox.update(loadedSpace, name, (_before, nowMs) => {
    if (forMs <= 0) return { value: undefined, result: undefined };
    const untilMs = nowMs + Math.min(forMs, foreverMs);
    return { value: { untilMs }, expiresAtMs: untilMs, result: undefined };
  });
}

export interface LoadedModel extends Loaded {
  readonly name: ModelName;
}

export async function loadedModels(sandbox: Sandbox): Promise<readonly LoadedModel[]> {
  const entries = await sandbox.entries(loadedSpace);
  return entries.map(([name, { untilMs }]) => ({ name: name as ModelName, untilMs }));
}
