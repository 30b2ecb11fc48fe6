/** A tester with a private sandbox. */

import { randomUUID } from 'node:crypto';
import { beginHunt } from '../../src/defects/hunts-in-state.js';
import type { SendOptions, TestService } from '../support/service.js';
import type { Call, Report } from './scripts.js';

export const path = '/api/sandbox/bugs';

const seeds = new Map<string, number>();

/** Returns a seed that switches on exactly this bug. */
export function seedOf(id: string): number {
  for (let seed = 0; !seeds.has(id); seed++) {
    const [drawn = ''] = beginHunt('senior', 1, seed).bugs;
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
