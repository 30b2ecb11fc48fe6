/**
 * A session of @modelcontextprotocol/sdk 1.x. Arguments: a URL, or a program with its arguments for
 * stdio. With a URL below `/protected`, it logs in; with `/mcp/sse`, it uses HTTP+SSE of 2024-11-05.
 */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Login } from './log-in.mjs';
import { book, connect, runSession } from './session.mjs';

const [target = '', ...args] = process.argv.slice(2);
const isHttp = target.startsWith('http');
const isOld = target.endsWith('/sse');
const login = target.includes('/protected') ? new Login() : undefined;

const client = await connect(
  () => ({
    client: new Client({ name: 'sdk-1', version: '1.0.0' }),
    transport: createTransport(),
  }),
  login,
);
await runSession(
  client,
  async () => {
    const notified = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, resolve);
    });
    await client.subscribeResource({ uri: book });
    return { notified, end: () => client.unsubscribeResource({ uri: book }) };
  },
  { login },
);
if (isHttp && !isOld) await client.transport.terminateSession();
await client.close();

function createTransport() {
  if (!isHttp) {
    const env = /** @type {any} */ (process.env);
    return new StdioClientTransport({ command: target, args, env });
  }
  const url = new URL(target);
  if (isOld) return new SSEClientTransport(url);
  const options = /** @type {any} */ (login && { authProvider: login });
  return new StreamableHTTPClientTransport(url, options);
}
