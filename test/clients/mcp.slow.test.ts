/**
 * Whole sessions of MCP clients of npm: tools, resources, prompts, completion, a subscription and
 * OAuth.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';
import { acts, clients, type Opened } from './mcp/acts.mjs';
import { keptByFew } from './mcp/kept-by-few.js';

endPrograms();

const requireInTests = createRequire(import.meta.url);
const client = (name: string) => fileURLToPath(new URL(`mcp/${name}.mjs`, import.meta.url));
const remote = join(requireInTests.resolve('mcp-remote/package.json'), '../dist/proxy.js');

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await createService({ tls: true });
  folder = mkdtempSync(join(tmpdir(), 'practice-mcp-'));
  writeFileSync(join(folder, 'ca.pem'), (await send(service.url, 'GET /tls/ca.pem')).bytes);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function run(...args: readonly string[]): Promise<void> {
  const environment = {
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote'),
    // mcp-remote opens the login in a browser; the test logs in instead.
    BROWSER: 'true',
  };
  const { ended, output } = runProgram(args, environment, [process.execPath]);
  const { code } = await ended;
  expect(code, output().stderr).toBe(0);
}

/** Clients by the rules that they have kept. */
const keepers = new Map<string, Set<string>>();

/** Returns rules that a client broke, or did not follow, and notes those that it kept. */
async function findingsIn(sandbox: string, by: string): Promise<readonly string[]> {
  const { json } = await send(service.url, `GET /s/${sandbox}/api/sandbox/mcp/findings`);
  for (const { rule, outcome } of json.rules) {
    const known = keepers.get(rule) ?? new Set();
    keepers.set(rule, outcome === 'kept' ? known.add(by) : known);
  }
  const found = json.findings.filter(({ outcome }: { outcome: string }) => outcome !== 'unclear');
  return [...new Set<string>(found.map(({ rule }: { rule: string }) => rule))];
}

describe.each(['sdk-1', 'client-2'])('%s', (name) => {
  test.each([
    ['over HTTP', '', 'mcp'],
    ['over TLS', 'tls', 'mcp'],
    ['with OAuth', 'oauth', 'mcp/protected'],
  ])('completes a session %s, and keeps every rule', async (_over, kind, path) => {
    const sandbox = `${name}${kind}`;
    const origin = kind === 'tls' ? (service.tlsUrl ?? '') : service.url;
    await run(client(name), `${origin}/s/${sandbox}/${path}`);
    expect(await findingsIn(sandbox, name)).toEqual([]);
  });

  test('completes a session over stdio', async () => {
    await run(client(name), process.execPath, builtProgram, 'mcp');
  });
});

test.each(['2025-11-25', '2025-06-18'])(
  'client-2 falls back to a server of %s, and keeps every rule',
  async (revision) => {
    await run(client('client-2'), `${service.url}/s/back-${revision}/mcp?revisions=${revision}`);
    expect(await findingsIn(`back-${revision}`, 'client-2')).toEqual([]);
  },
);

test('sdk-1 completes a session over HTTP+SSE, and keeps every rule', async () => {
  await run(client('sdk-1'), `${service.url}/s/sdk-1sse/mcp/sse`);
  expect(await findingsIn('sdk-1sse', 'sdk-1')).toEqual([]);
});

describe('mcp-remote', () => {
  test.each([
    ['with sessions', 'legacy', 'mcp', [], []],
    // It forwards calls of tools that it has listed without the headers of their arguments.
    ['in revision 2026-07-28', 'auto', 'mcp', ['--protocol', 'auto'], ['argument-headers']],
    ['with OAuth', 'oauth', 'mcp/protected', [], []],
    ['over HTTP+SSE', 'sse', 'mcp/sse', ['--transport', 'sse-only'], []],
  ])(
    'bridges a session %s; it opens a stream before its session',
    async (_how, kind, path, options, broken) => {
      const sandbox = `mcp-remote-${kind}`;
      await run(client('remote'), remote, `${service.url}/s/${sandbox}/${path}`, ...options);
      expect(await findingsIn(sandbox, 'mcp-remote')).toEqual(broken);
    },
  );
});

const played = acts.flatMap(({ by, ...each }) => by.map((name) => ({ ...each, by: name })));

describe.each(Object.entries(clients))('%s', (by, begin) => {
  const own = played.filter((each) => each.by === by);
  test.each(own)('$name, and keeps every rule', async (each) => {
    const { name, path = 'mcp', capabilities, isUnopened, act } = each;
    const sandbox = `${by}-${name}`;
    const settings = `/s/${sandbox}/api/sandbox`;
    const isRunning = async () => (await send(service.url, `GET ${settings}/mcp`)).json.running;
    const place = {
      url: `${service.url}/s/${sandbox}/${path}`,
      ...(capabilities && { capabilities }),
      put: (what: string, json: object) => send(service.url, `PUT ${settings}/${what}`, { json }),
      running: (count: number) => expect.poll(isRunning).toBe(count),
    };
    const open = (more: object = {}) => begin({ ...place, ...more });
    const client = isUnopened ? undefined : await open();
    await act(client as Opened, place, open);
    await client?.close();
    expect(await findingsIn(sandbox, by)).toEqual([]);
  });
});

/** Two clients keep each rule, which are independent of each other; a few rules have a reason. */
test('two of these clients keep each rule, except where the table says why', () => {
  const few = [...keepers].filter(([, names]) => names.size < 2);
  const found = few.map(([rule, names]) => [rule, [...names]] as const);
  const table = Object.entries(keptByFew).map(([rule, { by }]) => [rule, by] as const);
  expect(new Map(found)).toEqual(new Map(table));
});
