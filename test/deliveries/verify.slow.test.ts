/** Receivers, careful and careless, in the test of practice-api listen --verify. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFailed, test } from 'vitest';
import { Follower } from '../../src/listen/follow.js';
import { listen } from '../../src/listen/listen.js';
import { parseOptions } from '../../src/listen/options.js';
import { ServiceClient } from '../../src/listen/service-client.js';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { hooksOf } from './hooks.js';
import { startReceiver } from './receivers.js';

const service = useService();
const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines of the program about each receiver. */
const saidBy = new Map<string, string[]>();

interface Step {
  readonly name: string;
  readonly level: string;
  readonly outcome: string;
  readonly evidence: string;
}

async function verify(file: string) {
  const sandbox = file.replace(/\W/g, '-');
  const hooks = hooksOf(service, sandbox);
  await hooks.call('PUT /api/sandbox/data', { received: [] });
  const receiver = await startReceiver(file, { secret, api: `${service.url}/s/${sandbox}` });
  const junit = join(folder, `${sandbox}.xml`);
  const given = ['--url', service.url, '--sandbox', sandbox, '--secret', secret];
  const args = [
    '--verify',
    '--json',
    '--settle',
    '0.5',
    '--forward',
    receiver.url,
    '--junit',
    junit,
    ...given,
  ];
  const printed: string[] = [];
  const said: string[] = [];
  saidBy.set(file, said);
  const output = {
    print: (line: string) => printed.push(line),
    say: (line: string) => said.push(line),
  };
  const options = parseOptions(args, {});
  if (options === undefined) throw new Error('There are no options.');
  const status = await listen(options, new AbortController().signal, output);
  receiver.stop();
  const steps = JSON.parse(printed.join('\n')) as readonly Step[];
  const verdicts = await hooks.call('GET /api/sandbox/verdicts?judge=receivers');
  return {
    ...{
      status,
      steps,
      said,
      junit: readFileSync(junit, 'utf8'),
      verdicts: verdicts.json.judges[0],
    },
    left: (await hooks.call('GET /api/webhooks/subscriptions')).json,
    outcomes: new Map(steps.map(({ name, outcome }) => [name, outcome])),
  };
}

describe.each([
  ['express', 'careful-express.mjs', 'careless-express.mjs'],
  ['flask', 'careful_flask.py', 'careless_flask.py'],
])('%s', (_name, carefulFile, carelessFile) => {
  testsWith(...(carefulFile.endsWith('.py') ? (['flask'] as const) : [])).test(
    'a careful and a careless receiver are told apart in at least twelve cases',
    async () => {
      // They say where a test that ends late was.
      onTestFailed(() => console.log([...saidBy].slice(-2)));
      const careful = await verify(carefulFile);
      const careless = await verify(carelessFile);
      expect(careful.steps.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
      expect([careful.status, careless.status]).toEqual([0, 1]);
      const apart = careful.steps.filter(
        ({ name, outcome }) => careless.outcomes.get(name) !== outcome,
      );
      expect(apart.length).toBeGreaterThanOrEqual(12);
      for (const { level, outcome } of careless.steps) {
        if (level !== 'must') expect(outcome).not.toBe('broken');
      }
      const broken = careless.steps.filter(({ outcome }) => outcome === 'broken').length;
      expect(careless.junit).toContain(`failures="${broken}"`);
      expect(careless.junit.match(/<failure /g)).toHaveLength(broken);
      expect(careful.junit).toContain('failures="0" skipped="0"');
      expect(careless.verdicts.counts.broken).toBe(broken);
      expect(careless.left).toEqual([]);
      expect(careful.said[0]).toMatch(/^ 1 of 20 {2}valid +204 {2}\d+ ms$/);
      expect(careful.said.at(-1)).toMatch(/^20 of 20 {2}slow-work /);
    },
    180_000,
  );
});

test('a test that is stopped, or loses the service, ends with a message', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const forward = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const given = ['--url', service.url, '--sandbox', 'stopped', '--secret', secret];
  const options = parseOptions(
    ['--verify', '--timeout', '0.1', '--forward', forward, ...given],
    {},
  );
  if (options === undefined) throw new Error('There are no options.');
  const stop = new AbortController();
  const output = { print: () => {}, say: () => stop.abort() };
  await expect(listen(options, stop.signal, output)).rejects.toThrow('stopped before its end');
  silent.closeAllConnections();
  silent.close();
  const hooks = hooksOf(service, 'stopped');
  expect((await hooks.call('GET /api/webhooks/subscriptions')).json).toEqual([]);

  const { signal } = new AbortController();
  const following = {
    ...{ client: new ServiceClient({ ...options, url: 'http://127.0.0.1:9' }), mostFailures: 2 },
    ...{ forward: options.forward, timeoutMs: 100, stopping: signal, leaving: signal },
    ...{ onResult: () => {}, say: () => {} },
  };
  await expect(new Follower(following, 'lost').run()).rejects.toThrow('The connection was lost.');
});

test('a test ends although the connection of the request for its result was lost', async () => {
  let asked = 0;
  const losing = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (method === 'GET' && url.includes('/receiver-plan/runs/') && ++asked === 1) {
      incoming.socket.destroy();
      return;
    }
    const passed = request(new URL(url, service.url), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  const receiver = createServer((_incoming, outgoing) => outgoing.writeHead(204).end());
  for (const server of [losing, receiver]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given = ['--url', urlOf(losing), '--sandbox', 'losing', '--forward', urlOf(receiver)];
  const options = parseOptions(['--verify', '--cases', 'valid', '--settle', '0', ...given], {});
  if (options === undefined) throw new Error('There are no options.');
  const printed: string[] = [];
  const output = { print: (line: string) => printed.push(line), say: () => {} };
  expect(await listen(options, new AbortController().signal, output)).toBe(0);
  expect(asked).toBeGreaterThan(1);
  expect(printed.join('\n')).toContain('1 kept');
  for (const server of [losing, receiver]) {
    server.closeAllConnections();
    server.close();
  }
});

test('an unreachable receiver, an unreachable service and wrong usage have a message', async () => {
  const output = { print: () => {}, say: () => {} };
  const run = (args: readonly string[]) => {
    const options = parseOptions(['--forward', 'http://127.0.0.1:9/', '--verify', ...args], {});
    return listen(options as NonNullable<typeof options>, new AbortController().signal, output);
  };
  const there = ['--url', service.url, '--sandbox', 'unreachable'];
  await expect(run(there)).rejects.toThrow('The receiver does not respond');
  await expect(run(['--url', 'http://127.0.0.1:9'])).rejects.toThrow(
    'No connection to http://127.0.0.1:9',
  );
  await expect(run(['--url', service.url])).rejects.toThrow('X-Sandbox');
  await expect(run([...there, '--cases', 'none'])).rejects.toThrow('names of cases');
  expect(() => parseOptions([], {})).toThrow('--forward is missing.');
  expect(() => parseOptions(['--forward', 'ftp://x/'], {})).toThrow('http://');
  expect(() => parseOptions(['--forward', 'http://x/', '--junit', 'a.xml'], {})).toThrow(
    '--verify',
  );
  expect(parseOptions(['--help'], {})).toBeUndefined();
});
