/** A tester with a private sandbox. */

import { randomUUID } from 'node:crypto';
import { drawBugs, keyOfSeed } from '../../src/defects/hunts-in-state.js';
import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

/** Sends a request to the sandbox under test. */
export type Call = (target: string, options?: SendOptions) => Promise<HttpResponse>;

export interface Report {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly expected: unknown;
  readonly actual: unknown;
}

export const path = '/api/sandbox/bugs';

const seeds = new Map<string, number>();

/** Returns a seed that switches on exactly this bug. */
export function seedOf(id: string): number {
  for (let seed = 0; !seeds.has(id); seed++) {
    const [drawn = ''] = drawBugs('senior', 1, keyOfSeed(seed));
    if (!seeds.has(drawn)) seeds.set(drawn, seed);
    if (seed > 20_000) throw new Error(`No seed switches on ${id}.`);
  }
  return seeds.get(id) as number;
}

export function hunter({ send }: Pick<TestService, 'send'>) {
  const sandbox = `hunt-${randomUUID()}`;
  const call: Call = (target, { headers = {}, ...options }: SendOptions = {}) =>
    send(target, { ...options, headers: { 'X-Sandbox': sandbox, ...headers } });
  return {
    sandbox,
    call,
    switchOn: (level: string, count: number, seed: number) =>
      call(`PUT ${path}`, { json: { level, count, seed } }),
    report: async (json: Report) => (await call(`POST ${path}/reports`, { json })).json,
    read: async () => (await call(`GET ${path}`)).json,
    giveUp: async () => (await call(`DELETE ${path}`)).json,
  };
}
