/** What a sandbox has set for its issuer: people, clients and lifetimes of its own, and a misbehaviour. */

import {
  type Sandbox,
  type Space,
  sharedSandboxName,
  type Transaction,
} from '../../../state/state.js';
import type { MisbehaviourName } from '../misbehaviour/misbehaviours.js';
import { defaultLifetimes, type IssuerSettings, type Lifetimes } from './settings-schema.js';

export interface KeptSettings {
  readonly users: NonNullable<IssuerSettings['users']>;
  readonly lifetimes: Lifetimes;
  readonly clients: NonNullable<IssuerSettings['clients']>;
  readonly misbehave: MisbehaviourName | null;
  /** Until then something may count that was signed under the lifetimes before. */
  readonly signedBeforeUntilMs?: number;
}

const settingsSpace: Space<KeptSettings> = { name: 'oidc-settings', maxKeys: 1 };
const settingsKey = 'all';

const noSettings: KeptSettings = {
  users: [],
  lifetimes: defaultLifetimes,
  clients: [],
  misbehave: null,
};

/** Reads nothing in the shared sandbox, where they cannot be set. */
export async function settingsOf(sandbox: Sandbox): Promise<KeptSettings> {
  if (sandbox.name === sharedSandboxName) return noSettings;
  return (await sandbox.read(settingsSpace, settingsKey)) ?? noSettings;
}

/** The same within a transaction. */
export function settingsIn(view: Transaction): KeptSettings {
  return view.read(settingsSpace, settingsKey) ?? noSettings;
}

export function writeSettings(view: Transaction, settings: KeptSettings): void {
  view.write(settingsSpace, settingsKey, settings);
}

export function lifetimesIn(view: Transaction): Lifetimes {
  return settingsIn(view).lifetimes;
}
