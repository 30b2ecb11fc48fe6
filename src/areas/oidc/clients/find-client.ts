/** The clients of a sandbox: those that are ready, and those that were registered there. */

import type { Sandbox, Space } from '../../../state/state.js';
import type { Client } from './client.js';
import { readyClients } from './ready-clients.js';

export interface RegisteredClient extends Client {
  readonly issuedAtMs: number;
  /** The hash of the token that manages it (RFC 7592). */
  readonly managedBy: string;
  /** As it is told. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export const maxRegistered = 100;

export const registeredClients: Space<RegisteredClient> = {
  name: 'oidc-clients',
  maxKeys: maxRegistered,
  isKeptWhenFull: true,
  fullMessage: `This sandbox has ${maxRegistered} registered clients, the most there may be. Delete one, or reset the sandbox.`,
};

export async function findClient(sandbox: Sandbox, clientId: string): Promise<Client | undefined> {
  return (
    readyClients.find((client) => client.clientId === clientId) ??
    (await sandbox.read(registeredClients, clientId))
  );
}
