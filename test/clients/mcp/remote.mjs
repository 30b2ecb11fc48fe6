/**
 * A session of @modelcontextprotocol/sdk 1.x through mcp-remote, which it starts. Arguments: the
 * program mcp-remote, a URL, and options of mcp-remote. With a URL below `/protected`, mcp-remote
 * writes the URL of the login, which this program opens.
 */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { asking, useMore } from './acts.mjs';
import { book, runSession } from './session.mjs';

const args = process.argv.slice(2);
const [, url = ''] = args;
const transport = new StdioClientTransport({
  command: process.execPath,
  args,
  stderr: 'pipe',
  env: /** @type {any} */ (process.env),
});
let said = '';
let read = 0;
let isNotified = false;
transport.stderr?.on('data', (chunk) => {
  said += chunk;
  for (const { 0: shown, index } of said.matchAll(/^http\S+\/authorize\?\S+(?=\n)/gm)) {
    if (index < read) continue;
    read = index + shown.length;
    // The redirect leads to mcp-remote.
    void fetch(`${shown}&auto=ada`);
  }
});

const client = new Client({ name: 'mcp-remote', version: '1.0.0' }, { capabilities: asking });
try {
  await client.connect(transport);
  await runSession(
    client,
    async () => {
      const notified = new Promise((resolve) => {
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => {
          isNotified = true;
          resolve(undefined);
        });
      });
      await client.subscribeResource({ uri: book });
      return { notified, end: () => client.unsubscribeResource({ uri: book }) };
    },
    { change },
  );
  await useMore(client);
} catch (error) {
  console.error(said);
  throw error;
} finally {
  await client.close();
}

/** Another client changes the record, until mcp-remote has subscribed. */
async function change() {
  while (!isNotified) {
    const { status } = await fetch(url.replace(/\/mcp(?:\/protected|\/sse)?$/, '/api/Books/1'), {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: `Changed ${Math.random()}` }),
    });
    assert.equal(status, 200);
    await sleep(200);
  }
}
