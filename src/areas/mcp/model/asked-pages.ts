/** Pages that tools ask users to open, and what their users did. */

import { randomBytes } from 'node:crypto';
import type { LogSpace, Sandbox } from '#state/state.js';

export const pageSteps = ['opened', 'completed'] as const;

export type PageStep = (typeof pageSteps)[number];

interface AskedPage {
  /** Whether the user has agreed to open it. */
  readonly isAccepted: boolean;
}

/** By the id of the elicitation. */
const pageSpace: LogSpace<AskedPage, PageStep> = {
  name: 'mcp-asked-pages',
  maxKeys: 50,
  maxEntries: 20,
};

const lifeMs = 60 * 60 * 1000;

/** Returns the id of a new page. */
export async function createPage(sandbox: Sandbox): Promise<string> {
  const id = randomBytes(12).toString('base64url');
  await sandbox.update(pageSpace, id, (_none, nowMs) => ({
    value: { isAccepted: false },
    expiresAtMs: nowMs + lifeMs,
    result: undefined,
  }));
  return id;
}

export const findPage = (sandbox: Sandbox, id: string) => sandbox.read(pageSpace, id);

export async function acceptPage(sandbox: Sandbox, id: string): Promise<void> {
  await sandbox.update(pageSpace, id, (page: AskedPage | undefined, nowMs) => ({
    value: page && { isAccepted: true },
    expiresAtMs: nowMs + lifeMs,
    result: undefined,
  }));
}

export async function notePage(sandbox: Sandbox, id: string, step: PageStep): Promise<void> {
  await sandbox.log(pageSpace, id).append(step, Buffer.alloc(0));
}

/** Returns the first of the steps that a user does; `undefined` if the wait ends before. */
export async function waitForPage(
  sandbox: Sandbox,
  id: string,
  steps: readonly PageStep[],
  signal: AbortSignal,
): Promise<PageStep | undefined> {
  const log = sandbox.log(pageSpace, id);
  let seen = 0;
  while (!signal.aborted) {
    const entries = await log.after(seen, 20);
    const found = entries.find(({ item }) => steps.includes(item));
    if (found !== undefined) return found.item;
    seen = entries.at(-1)?.sequence ?? seen;
    if (entries.length > 0) continue;
    if ((await log.status()) === undefined) return undefined;
    await log.waitPast(seen, signal);
  }
  return undefined;
}
