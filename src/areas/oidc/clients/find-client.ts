/** The clients of a sandbox: those that it has set, those that are ready, and those that were registered there. */

import type { Sandbox, Space } from '../../../state/state.js';
import { clientOf } from '../settings/check-settings.js';
import { settingsOf } from '../settings/issuer-settings.js';
import type { Client } from './client.js';
import { readyClients } from './ready-clients.js';

export interface RegisteredClient extends Client {
  readonly issuedAtMs: number;
  /** The hash of the token that manages it (RFC 7592). */
  readonly managedBy: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const maxRegistered = 100;

export const registeredClients: Space<RegisteredClient> = {
  name: 'oidc-clients',
  maxKeys: maxRegistered,
  isKeptWhenFull: true,
  fullMessage: `This sandbox has ${maxRegistered} registered clients, the most there may be. Delete one, or reset the sandbox.`,
};

export async function findClient(sandbox: Sandbox, clientId: string): Promise<Client | undefined> {
  const { clients } = await settingsOf(sandbox);
  const own = clients.find((client) => client.clientId === clientId);
  if (own !== undefined) return clientOf(own);
  return (
    readyClients.find((client) => client.clientId === clientId) ??
    (await sandbox.read(registeredClients, clientId))
  );
}
