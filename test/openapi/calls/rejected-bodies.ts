/** Calls of operations that the shared sandbox lacks, whose bodies are rejected. */

import type { Caller } from '../caller.js';

export async function callRejectedBodies(
  caller: Caller,
  operationId: string,
  path: Readonly<Record<string, string>> = {},
): Promise<void> {
  const headers = { 'X-Sandbox': 'mine' };
  const announcedBytes = 10 * 1024 * 1024 + 1;
  const type = 'application/json';
  await caller.call(operationId, 'Too large a body', { path, headers, type, announcedBytes });
  const other = { path, headers, type: 'text/plain', body: 'Hello' };
  await caller.call(operationId, 'Another Content-Type', other);
}
