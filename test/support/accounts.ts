/** Accounts of a service that requires them, and requests with their keys. */

import { expect } from 'vitest';
import type { Send } from './isolation-cases.js';
import type { TestService } from './service.js';

export interface TestAccount {
  readonly id: string;
  readonly key: string;
  /** Sends with the key, in a sandbox of the account if one is named. */
  readonly send: Send;
  readonly inSandbox: (name: string) => Send;
}

export async function signUp(service: Pick<TestService, 'send'>): Promise<TestAccount> {
  const { status, json } = await service.send('POST /api/accounts');
  expect(status).toBe(201);
  const { id, key } = json as { id: string; key: string };
  return { id, key, send: senderWith({}), inSandbox: (name) => senderWith({ 'X-Sandbox': name }) };

  function senderWith(own: Readonly<Record<string, string>>): Send {
    return (target, { headers = {}, ...options } = {}) =>
      service.send(target, { ...options, headers: { ...headers, 'X-Service-Key': key, ...own } });
  }
}
