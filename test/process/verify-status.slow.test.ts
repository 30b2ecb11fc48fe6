/** The exit status of practice-api listen --verify, as a process. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.js';
import { hooksOf } from '../deliveries/hooks.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { useService } from '../support/service.js';

endPrograms();
const service = useService();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function receiver(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const respond =
  (status: number): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status).end();
  };

function begin(sandbox: string, forward: string, ...more: readonly string[]) {
  const given = ['--verify', '--settle', '0', '--sandbox', sandbox, '--forward', forward];
  return runProgram(['listen', ...given, '--url', service.url, ...more]);
}

async function run(...given: Parameters<typeof begin>) {
  const program = begin(...given);
  const { code, signal } = await program.ended;
  const { stdout, stderr } = program.output();
  // A test that ends leaves no subscription.
  const left = await hooksOf(service, given[0]).call('GET /api/webhooks/subscriptions');
  return { code, signal, stdout, stderr, left: left.json };
}

test('0: all cases are kept, or not broken', async () => {
  const url = await receiver(respond(204));
  const kept = await run('kept', url, '--cases', 'valid,raw-bytes,redirect');
  expect(kept).toMatchObject({ code: 0, signal: null, left: [] });
  expect(kept.stdout).toContain('\n3 kept, 0 broken, 0 against-advice, 0 unclear, 0 not-reached\n');
  const unclear = await run('unclear', url, '--cases', 'duplicate');
  expect(unclear).toMatchObject({ code: 0, left: [] });
  expect(unclear.stdout).toContain('\n1 kept, 0 broken, 0 against-advice, 1 unclear');
  const failing = await receiver((request, response) =>
    respond(request.headers['content-encoding'] === 'gzip' ? 500 : 204)(request, response),
  );
  const unwise = await run('unwise', failing, '--cases', 'gzip');
  expect(unwise).toMatchObject({ code: 0, left: [] });
  expect(unwise.stdout).toContain('\n1 kept, 0 broken, 1 against-advice');
}, 60_000);

test('1: a case is broken, also as JSON', async () => {
  const url = await receiver(respond(204));
  const broken = await run('broken', url, '--cases', 'wrong-signature');
  expect(broken).toMatchObject({ code: 1, signal: null, left: [] });
  expect(broken.stdout).toContain('\n1 kept, 1 broken, ');
  const json = await run('broken', url, '--cases', 'wrong-signature', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject([{ outcome: 'kept' }, { outcome: 'broken' }]);
}, 60_000);

test('2: no receiver, no service, a rejection of the service, and wrong usage', async () => {
  const url = await receiver(respond(204));
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const results = [
    await run('absent', `${nowhere}/hook`),
    await run('absent', url, '--url', nowhere),
    await run('absent', url, '--cases', 'none'),
    await run('absent', url, '--secret', 'short'),
    await run('absent', url, '--scheme', 'none'),
    await run('absent', url, '--events', 'todos.*'),
    await run('absent', url, '--unknown'),
    await run('absent', url, '--data', '/none/data.json'),
    await run('absent', 'ftp://127.0.0.1/'),
  ];
  const messages = [
    /^ 1 of 20 +valid +.*ECONNREFUSED.*\nThe receiver does not respond: .*ECONNREFUSED/m,
    /^No connection to http:.*: ECONNREFUSED\.$/m,
    /^cases must be names of cases/m,
    /^secret must /m,
    /^scheme must /m,
    /^--verify has --type, not --events\.$/m,
    /--unknown/,
    /^--data cannot be read/m,
    /^--forward must be a URL/m,
  ];
  for (const [index, { code, stdout, stderr, left }] of results.entries()) {
    expect({ index, code, stdout, left }).toEqual({ index, code: 2, stdout: '', left: [] });
    expect(stderr).toMatch(messages[index] ?? '');
  }
}, 120_000);

test('2: a signal before the end', async () => {
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const program = begin('stopped', await receiver(() => arrived()), '--timeout', '1');
  await arrival;
  program.process.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 2, signal: null });
  expect(program.output().stderr).toContain('The test was stopped before its end.');
  const { json } = await hooksOf(service, 'stopped').call('GET /api/webhooks/subscriptions');
  expect(json).toEqual([]);
}, 60_000);
