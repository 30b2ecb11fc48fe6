/** Limits of MCP that need streams. */

import { expect } from 'vitest';
import { messagesIn, modern, openSession } from '../../mcp/mcp.js';
import { openStream, type TestStream } from '../../support/event-source.js';
import type { TestService } from '../../support/service.js';
import type { Rule } from './rule.js';

const accept = 'application/json, text/event-stream';

/** Reads a stream, or a single message, up to this many messages, and returns the last. */
async function messageOf(stream: TestStream, count: number) {
  // Nothing is received unless a test reads.
  stream.next().catch(() => {});
  const messages = () => {
    const text = stream.text();
    return text.startsWith('{') ? [JSON.parse(text)] : messagesIn(text);
  };
  await expect.poll(() => messages().length).toBeGreaterThanOrEqual(count);
  return messages()[count - 1];
}

/** Begins a subscription to this many resources, and returns whether it is accepted. */
async function subscribes({ url }: TestService, count: number): Promise<boolean> {
  const prefix = 'io.modelcontextprotocol';
  const method = 'subscriptions/listen';
  const resourceSubscriptions = Array.from({ length: count }, (_, id) => `practice://books/${id}`);
  const _meta = {
    [`${prefix}/protocolVersion`]: modern,
    [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  };
  const stream = await openStream(url, '/s/bounds-of-lists/mcp', {
    headers: { accept, 'mcp-protocol-version': modern, 'mcp-method': method },
    json: {
      ...{ jsonrpc: '2.0', id: 1, method },
      params: { notifications: { resourceSubscriptions }, _meta },
    },
  });
  const first = await messageOf(stream, 1);
  stream.close();
  return first.method === 'notifications/subscriptions/acknowledged';
}

/** Calls a tool that requests input, and sends invalid input this many times before the right one. */
async function isAskedAgain(service: TestService, invalid: number): Promise<boolean> {
  const path = '/s/bounds-of-rounds/mcp';
  const capabilities = { elicitation: {} };
  const session = await openSession(service, '2025-06-18', { path, capabilities });
  const stream = await openStream(service.url, path, {
    headers: { ...session.headers, accept },
    json: {
      ...{ jsonrpc: '2.0', id: 'call', method: 'tools/call' },
      params: { name: 'ask_user', arguments: {} },
    },
  });
  for (let count = 1; ; count++) {
    const { id, method, result } = await messageOf(stream, count);
    if (method === undefined) return result !== undefined;
    const content = count <= invalid ? {} : { rating: 5 };
    await session.send({ jsonrpc: '2.0', id, result: { action: 'accept', content } });
  }
}

export const mcpRules: readonly Rule[] = [
  {
    limit: 'areas/mcp/stateless/subscriptions.ts#maxUris',
    value: 100,
    accepts: (size, service) => subscribes(service, size),
  },
  {
    limit: 'areas/mcp/sessions/run-calls.ts#maxRounds',
    value: 3,
    accepts: (size, service) => isAskedAgain(service, size - 1),
  },
];
