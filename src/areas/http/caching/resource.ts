/** A resource to cache, as the state holds it. */

import { createHash } from 'node:crypto';
import type { LogSpace } from '../../../state/state.js';
import type { Choices } from './choices.js';

export interface Resource {
  readonly version: number;
  /** By the clock of the sandbox. */
  readonly changedAtMs: number;
  /** The same, but never later than it really was: no Last-Modified may be later than Date. */
  readonly lastModifiedMs: number;
  readonly choices: Choices;
  /** What was PUT. */
  readonly content?: { readonly type: string; readonly text: string };
}

export interface Hit {
  readonly atMs: number;
  readonly method: string;
  /** Inside the sandbox. */
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Beyond it, the one that was first asked for goes. */
export const resourcesSpace: LogSpace<Resource, Hit> = {
  name: 'http-cache',
  maxKeys: 100,
  maxEntries: 100,
};

/** What is at every name before anything was PUT there. */
export function firstVersion(nowMs: number, realNowMs: number): Resource {
  return {
    version: 1,
    changedAtMs: nowMs,
    lastModifiedMs: Math.min(nowMs, realNowMs),
    choices: {},
  };
}

/** What strangers share changes for nobody. */
export const sharedResource = firstVersion(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1));

/** The values of the headers that a response varies by, by name in lower case; null for one that is absent. */
export type Variant = Readonly<Record<string, string | null>>;

/** Opaque, without quotes; each variant has its own. */
export function tagOf(name: string, { version }: Resource, variant: Variant): string {
  const values = JSON.stringify(variant);
  const suffix =
    values === '{}' ? '' : `-${createHash('sha256').update(values).digest('hex').slice(0, 8)}`;
  return `${name}-${version}${suffix}`;
}
