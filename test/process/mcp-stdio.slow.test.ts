/** The MCP server over standard streams. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const service = useService();
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
type Json = any;

class Client {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(...args: readonly string[]) {
    this.#child = spawn(process.execPath, [program, 'mcp', ...args]);
    children.push(this.#child);
    const lines: Interface = createInterface({ input: this.#child.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  sendLine(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async next(): Promise<Json> {
    return JSON.parse((await this.#lines.next()).value);
  }

  async end(): Promise<unknown> {
    this.#child.stdin.end();
    const [code] = await once(this.#child, 'exit');
    return code;
  }
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('a service of the process responds to requests without a session', async () => {
  const client = new Client();
  client.send({ id: 1, method: 'tools/list', params: { _meta } });
  expect((await client.next()).result.tools.length).toBeGreaterThan(30);
  const args = { region: 'Zürich' };
  client.send({
    id: 2,
    method: 'tools/call',
    params: { name: 'route_order', arguments: args, _meta },
  });
  expect((await client.next()).result.content[0].text).toBe('{"region":"Zürich"}');
  client.send({ id: 3, method: 'none', params: { _meta } });
  expect(await client.next()).toMatchObject({ id: 3, error: { code: -32601 } });
  expect(await client.end()).toBe(0);
});

test('a cancelled request gets no response, and later ones do', async () => {
  const client = new Client('--url', `${service.url}/s/stdio/mcp`);
  const params = { name: 'countdown', arguments: { seconds: 60 } };
  client.send({
    id: 1,
    method: 'tools/call',
    params: { ...params, _meta: { ..._meta, progressToken: 1 } },
  });
  expect((await client.next()).method).toBe('notifications/progress');
  client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  client.send({ id: 2, method: 'server/discover', params: { _meta } });
  let message: Json;
  do message = await client.next();
  while (message.id === undefined);
  expect(message.id).toBe(2);
  expect(await client.end()).toBe(0);
});

test('a session has requests of the server, and its streams are resumed', async () => {
  const client = new Client('--url', `${service.url}/s/stdio/mcp`);
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'test', version: '1' },
  };
  client.send({ id: 1, method: 'initialize', params: initialize });
  expect((await client.next()).result.protocolVersion).toBe('2025-11-25');
  client.send({ method: 'notifications/initialized' });
  client.send({ id: 2, method: 'tools/call', params: { name: 'show_roots' } });
  const asked = await client.next();
  expect(asked.method).toBe('roots/list');
  client.send({ id: asked.id, result: { roots: [{ uri: 'file:///a' }] } });
  expect((await client.next()).result.content[0].text).toBe('[{"uri":"file:///a"}]');
  client.send({ id: 3, method: 'tools/call', params: { name: 'test_reconnection' } });
  expect((await client.next()).result.content[0].text).toContain('resumed');
  expect(await client.end()).toBe(0);
});

test('a line without a message is an error', async () => {
  const client = new Client('--url', `${service.url}/mcp`);
  client.sendLine('no message');
  expect((await client.next()).error.code).toBe(-32700);
  await client.end();
});
