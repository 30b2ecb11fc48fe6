/** Counts fetches of the documents of a sandbox's issuer. Clients with a cache fetch them less often. */

import type { Request } from '#http/exchange.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';

export interface Fetches {
  readonly discovery: number;
  readonly jwks: number;
}

const fetchCounts: Space<Fetches> = { name: 'oidc-fetches', maxKeys: 1 };
const countsKey = 'all';
const none: Fetches = { discovery: 0, jwks: 0 };

export async function fetchesOf(sandbox: Sandbox): Promise<Fetches> {
  return (await sandbox.read(fetchCounts, countsKey)) ?? none;
}

/** Counts a GET in a named sandbox. The counts of the shared sandbox could not be read. */
export async function countFetch(
  { method, sandbox }: Pick<Request, 'method' | 'sandbox'>,
  document: keyof Fetches,
): Promise<void> {
  if (method !== 'GET' || sandbox.name === sharedSandboxName) return;
  await sandbox.update(fetchCounts, countsKey, (counts: Fetches = none) => ({
    value: { ...counts, [document]: counts[document] + 1 },
    result: undefined,
  }));
}
