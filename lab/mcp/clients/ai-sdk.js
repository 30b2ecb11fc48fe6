/** A session of @ai-sdk/mcp, which has no subscriptions to resources. Argument: a URL. */

import assert from 'node:assert/strict';
import { Login } from '../../../test/clients/mcp/log-in.mjs';
import { importPeer } from '../../harness/peers.js';

const { auth, createMCPClient } = await importPeer('@ai-sdk/mcp');

const [url = ''] = process.argv.slice(2);
const login = url.endsWith('/protected') ? new Login() : undefined;

const connect = () =>
  createMCPClient({
    transport: { type: 'http', url, ...(login && { authProvider: login }) },
  });

const client = await logIn();
const { tools } = await client.listTools();
assert.ok(tools.some((/** @type {any} */ { name }) => name === 'greet'));
const greeting = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
assert.equal(greeting.content[0].text, 'Hello, Ada!');
const { resources } = await client.listResources();
assert.ok(resources.length > 0);
const { contents } = await client.readResource({ uri: 'practice://books/1' });
assert.equal(JSON.parse(String(contents[0]?.text)).id, 1);
const { prompts } = await client.listPrompts();
assert.ok(prompts.some((/** @type {any} */ { name }) => name === 'describe_collection'));
const prompt = await client.getPrompt({
  name: 'describe_collection',
  arguments: { collection: 'books' },
});
assert.equal(prompt.messages.length, 2);
await client.close();

async function logIn() {
  try {
    return await connect();
  } catch (error) {
    if (login === undefined || login.returned.size === 0) throw error;
    await auth(login, {
      serverUrl: url,
      authorizationCode: String(login.returned.get('code')),
      callbackIssuer: String(login.returned.get('iss')),
    });
    return connect();
  }
}
