/** Chooses the case that a call meets: by its metadata, by a run, or by the settings of the sandbox. */

import { http2RequestOf } from '#kit/connection.js';
import { type Space, sharedSandboxName } from '#state/state.js';
import { plays } from '../judge/plays.js';
import { grpcRuns, type RunCase } from '../judge/runs.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { misbehaviours } from './cases.js';

export interface Settings {
  /** For each call. */
  readonly misbehave: string | null;
  /** For the next calls, one each; null for a right response. */
  readonly script: readonly (string | null)[];
}

export const settingsSpace: Space<Settings> = { name: 'grpc-settings', maxKeys: 1 };
export const settingsKey = 'all';
export const noSettings: Settings = { misbehave: null, script: [] };

export interface Chosen {
  readonly name: string;
  /** Present if a run has chosen it. */
  readonly run?: string;
}

/** Services that steer and describe, and so are always right. */
const alwaysRight = /^\/grpc\./;

/** Returns whether a call may meet a case. */
export function mayMeet({ request: { headers, sandbox, url } }: Call): boolean {
  if (alwaysRight.test(url)) return false;
  const isAsked = headers['x-misbehave'] !== undefined || headers['x-test-run'] !== undefined;
  return isAsked || sandbox.name !== sharedSandboxName;
}

export async function chooseCase({ request }: Call): Promise<Chosen | undefined> {
  const { 'x-misbehave': name, 'x-test-run': run } = request.headers;
  if (run !== undefined) return ofRun(String(run), request.sandbox);
  if (name === undefined) return ofSettings(request.sandbox);
  // Later calls may have arrived with this one.
  if (name === 'goaway') http2RequestOf(request.raw)?.leaveLaterRequests();
  if (misbehaviours.has(String(name))) return { name: String(name) };
  throw new RpcError('INVALID_ARGUMENT', 'x-misbehave must be a name of GET /grpc/test-plan.');
}

async function ofRun(text: string, sandbox: Call['request']['sandbox']): Promise<RunCase> {
  const [run = '', name = ''] = text.split('/');
  const isCase = misbehaviours.has(name) || plays.has(name);
  const stored = isCase ? await sandbox.read(grpcRuns.space, run) : undefined;
  if (stored !== undefined) return { run, name };
  throw new RpcError(
    'NOT_FOUND',
    'x-test-run must be a run of POST /grpc/test-plan/runs and a case.',
  );
}

async function ofSettings(sandbox: Call['request']['sandbox']): Promise<Chosen | undefined> {
  const settings = await sandbox.read(settingsSpace, settingsKey);
  if (settings === undefined) return undefined;
  if (settings.script.length === 0) return chosen(settings.misbehave);
  const next = await sandbox.update(settingsSpace, settingsKey, (now = noSettings) => ({
    value: { ...now, script: now.script.slice(1) },
    result: now.script[0] ?? null,
  }));
  return chosen(next);
}

const chosen = (name: string | null): Chosen | undefined => (name === null ? undefined : { name });
