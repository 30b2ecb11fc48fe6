/** The script of a sandbox: the next completions, limits, and a misbehaviour. */

import type { JsonObject } from '#base/json-object.js';
import { type Sandbox, type Space, sharedSandboxName, type Transaction } from '#state/state.js';
import type { StopReason } from '../messages/conversation.js';
import type { Misbehaviour } from '../streams/cases.js';

export interface TurnFault {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  readonly retryAfter?: number;
  readonly retryAfterMs?: number;
  readonly shouldRetry?: boolean;
}

export interface ScriptTurn {
  readonly text?: string;
  readonly toolCalls?: readonly {
    readonly name: string;
    /** A text is sent unchanged, even if it is no JSON. */
    readonly arguments: JsonObject | string;
    /** A text that only an execution of the tool returns. */
    readonly result?: string;
  }[];
  readonly thinking?: string;
  readonly refusal?: string;
  readonly stopReason?: StopReason;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly pace?: { readonly chunkMs: number };
  readonly fault?: TurnFault;
}

export interface Limits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
}

export const usualLimits: Limits = { requestsPerMinute: 10_000, tokensPerMinute: 10_000_000 };

export interface Settings {
  readonly limits: Limits;
  readonly misbehave?: Misbehaviour;
}

interface Counts {
  /** Turns of the script. */
  readonly used: number;
  /** Streams that clients closed. */
  readonly cancelled: number;
}

const key = 'all';
const settingsSpace: Space<Settings> = { name: 'llm-settings', maxKeys: 1 };
/** Written once; each request changes only the counts. */
const turnsSpace: Space<readonly ScriptTurn[]> = { name: 'llm-script', maxKeys: 1 };
const countsSpace: Space<Counts> = { name: 'llm-counts', maxKeys: 1 };

const noCounts: Counts = { used: 0, cancelled: 0 };

/** The shared sandbox has no script. */
const hasScript = ({ name }: Sandbox) => name !== sharedSandboxName;

export async function readSettings(sandbox: Sandbox): Promise<Settings> {
  const stored = hasScript(sandbox) ? await sandbox.read(settingsSpace, key) : undefined;
  return stored ?? { limits: usualLimits };
}

export interface ScriptStatus extends Settings, Counts {
  readonly turns: readonly ScriptTurn[];
}

/** Returns the turns that are left. */
export async function readScript(sandbox: Sandbox): Promise<ScriptStatus> {
  const settings = await readSettings(sandbox);
  const turns = (await sandbox.read(turnsSpace, key)) ?? [];
  const counts = (await sandbox.read(countsSpace, key)) ?? noCounts;
  return { ...settings, ...counts, turns: turns.slice(counts.used) };
}

/** Replaces the script; without one, it ends. */
export async function writeScript(
  sandbox: Sandbox,
  script?: Settings & { readonly turns: readonly ScriptTurn[] },
): Promise<void> {
  await sandbox.transact((view) => {
    const { turns, ...settings } = script ?? {};
    view.write(settingsSpace, key, script === undefined ? undefined : (settings as Settings));
    view.write(turnsSpace, key, turns);
    view.write(countsSpace, key, undefined);
  });
}

/** Makes the function that returns the next turn of a sandbox, and uses it. */
export function scriptOf(sandbox: Sandbox): (view: Transaction) => ScriptTurn | undefined {
  if (!hasScript(sandbox)) return () => undefined;
  return (view) => {
    const counts = view.read(countsSpace, key) ?? noCounts;
    const turn = view.read(turnsSpace, key)?.[counts.used];
    if (turn !== undefined) view.write(countsSpace, key, { ...counts, used: counts.used + 1 });
    return turn;
  };
}

export async function countCancelled(sandbox: Sandbox): Promise<void> {
  if (!hasScript(sandbox)) return;
  await sandbox.update(countsSpace, key, (counts = noCounts) => ({
    value: { ...counts, cancelled: counts.cancelled + 1 },
    result: undefined,
  }));
}
