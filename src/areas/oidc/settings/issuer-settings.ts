/** What a sandbox has set for its issuer: people, clients and lifetimes of its own, and a misbehaviour. */

import {
  type Sandbox,
  type Space,
  sharedSandboxName,
  type Transaction,
} from '../../../state/state.js';
import { type Lifetimes, lifetimes } from '../lifetimes.js';
import type { MisbehaviourName } from '../misbehaviour/misbehaviours.js';
import type { IssuerSettings } from './settings-schema.js';

export interface KeptSettings {
  readonly users: NonNullable<IssuerSettings['users']>;
  readonly lifetimes: Lifetimes;
  readonly clients: NonNullable<IssuerSettings['clients']>;
  readonly misbehave: MisbehaviourName | null;
  /** Until then something may count that was signed under the lifetimes before. */
  readonly signedBeforeUntilMs?: number;
}

export const settingsSpace: Space<KeptSettings> = { name: 'oidc-settings', maxKeys: 1 };
export const settingsKey = 'all';

export const noSettings: KeptSettings = { users: [], lifetimes, clients: [], misbehave: null };

/** Those of the shared sandbox cannot be set, so they need no look. */
export async function settingsOf(sandbox: Sandbox): Promise<KeptSettings> {
  if (sandbox.name === sharedSandboxName) return noSettings;
  return (await sandbox.read(settingsSpace, settingsKey)) ?? noSettings;
}

/** The same within a transaction. */
export function settingsIn(view: Pick<Transaction, 'read'>): KeptSettings {
  return view.read(settingsSpace, settingsKey) ?? noSettings;
}

export function lifetimesIn(view: Pick<Transaction, 'read'>): Lifetimes {
  return settingsIn(view).lifetimes;
}
