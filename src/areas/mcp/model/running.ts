/** Counts the calls that take time, across the replicas of a service. */

import { randomUUID } from 'node:crypto';
import { turns } from '#base/work-in-turns.js';
import type { HeldRequest } from '#http/held-requests.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import type { Sandbox, Space } from '#state/state.js';

/** Streams without a call. */
export const streamName = 'stream';
const streamNames = [streamName, 'subscriptions/listen'];

/** A replica that dies leaves its calls until they expire. */
const lifetimeMs = 10 * 60 * 1000;

export const runningSpace: Space<string> = { name: 'mcp-running', maxKeys: 500 };

/** Counts a call until its place is released. */
export async function countRunning(
  sandbox: Sandbox,
  method: string,
  { ended }: HeldRequest,
): Promise<void> {
  const key = randomUUID();
  // Without it, only a count is missing.
  await ignoringOutages(async () => {
    await sandbox.update(runningSpace, key, (_none, nowMs) => ({
      value: method,
      expiresAtMs: nowMs + lifetimeMs,
      result: undefined,
    }));
    await ended;
    await turns.whenFree();
    await sandbox.update(runningSpace, key, () => ({ value: undefined, result: undefined }));
  });
}

export interface Running {
  readonly streams: number;
  readonly running: number;
}

export async function runningIn(sandbox: Sandbox): Promise<Running> {
  const names = (await sandbox.entries(runningSpace)).map(([, name]) => name);
  const streams = names.filter((name) => streamNames.includes(name)).length;
  return { streams, running: names.length - streams };
}
