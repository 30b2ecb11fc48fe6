/** Requests of the page about the sandbox of this browser. */

import { addressOf } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';
import type { Judged } from '../shared/findings.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';

export interface Status {
  /** Turns of the script that are left. */
  readonly turns: readonly unknown[];
  readonly used: number;
  readonly cancelled: number;
  readonly limits: { readonly requestsPerMinute: number; readonly tokensPerMinute: number };
  readonly misbehave: { readonly name: string; readonly at: string } | null;
}

export interface Step {
  readonly case: string;
  readonly openai: string;
  readonly outcome: string;
  readonly evidence: string;
}

const path = '/api/sandbox/llm';
const runs = '/llm/test-plan/runs';

export const readStatus = () => callJson<Status>(addressOf(path));
export const endScript = () => call(addressOf(path), { method: 'DELETE' });
export const readFindings = () => callJson<Judged>(addressOf(`${path}/findings`));
export const forgetFindings = () => call(addressOf(`${path}/findings`), { method: 'DELETE' });

/** At the URL of the sandbox, which the base URLs of the cases begin with. */
export const readRun = async (run: string) =>
  callJson<readonly Step[]>(`${await placeOfVisitor()}${runs}/${encodeURIComponent(run)}`);

/** Returns the id of the run. */
export async function startRun(): Promise<string> {
  const response = await call((await placeOfVisitor()) + runs, { method: 'POST' });
  return response.headers.get('location')?.split('/').at(-1) ?? '';
}
