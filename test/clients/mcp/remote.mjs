/**
 * A session of @modelcontextprotocol/sdk 1.x through mcp-remote, which it starts. Arguments: the
 * program mcp-remote, a URL, and options of mcp-remote. With a URL below `/protected`, mcp-remote
 * writes the URL of the login, which this program opens.
 */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { book, runSession } from './session.mjs';

const args = process.argv.slice(2);
const transport = new StdioClientTransport({
  command: process.execPath,
  args,
  stderr: 'pipe',
  env: /** @type {any} */ (process.env),
});
let said = '';
let hasLoggedIn = false;
transport.stderr?.on('data', (chunk) => {
  said += chunk;
  const [url] = /^http\S+\/authorize\?\S+$/m.exec(said) ?? [];
  if (url === undefined || hasLoggedIn) return;
  hasLoggedIn = true;
  // The redirect leads to mcp-remote.
  void fetch(`${url}&auto=ada`);
});

const client = new Client({ name: 'mcp-remote', version: '1.0.0' });
try {
  await client.connect(transport);
  await runSession(client, async () => {
    const notified = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, resolve);
    });
    await client.subscribeResource({ uri: book });
    return { notified, end: () => client.unsubscribeResource({ uri: book }) };
  });
} catch (error) {
  console.error(said);
  throw error;
} finally {
  await client.close();
}
