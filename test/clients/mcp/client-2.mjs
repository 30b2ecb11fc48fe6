/**
 * A session of @modelcontextprotocol/client 2.x in revision 2026-07-28, or in the one of
 * `?revisions=`, to which it falls back. Arguments: a URL, or a program with its arguments for stdio.
 * With a URL below `/protected`, it logs in.
 */

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Login } from './log-in.mjs';
import { book, connect, runSession } from './session.mjs';

const [target = '', ...args] = process.argv.slice(2);
const isHttp = target.startsWith('http');
const login = target.includes('/protected') ? new Login() : undefined;

const client = await connect(
  () => ({
    client: new Client(
      { name: 'client-2', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    ),
    transport: isHttp
      ? new StreamableHTTPClientTransport(
          new URL(target),
          /** @type {any} */ (login && { authProvider: login }),
        )
      : new StdioClientTransport({ command: target, args, env: /** @type {any} */ (process.env) }),
  }),
  login,
);
const revision = (isHttp && new URL(target).searchParams.get('revisions')) || '2026-07-28';
assert.equal(client.getNegotiatedProtocolVersion(), revision);
await runSession(
  client,
  async () => {
    const notified = new Promise((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', resolve);
    });
    if (revision !== '2026-07-28') {
      await client.subscribeResource({ uri: book });
      return { notified, end: () => client.unsubscribeResource({ uri: book }) };
    }
    const subscription = await client.listen({ resourceSubscriptions: [book] });
    return { notified, end: () => subscription.close() };
  },
  { login },
);
await client.close();
