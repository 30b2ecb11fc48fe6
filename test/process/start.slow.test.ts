/** `npm start` in a clone whose packages are installed. */

import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-clone-'));
afterAll(() => rmSync(copy, { recursive: true }));

test('builds with at least three lines of progress, and does not build again', async () => {
  const leftOut = ['node_modules', 'dist', '.git', 'lab', 'test', 'examples', 'clients'];
  for (const name of readdirSync(root).filter((each) => !leftOut.includes(each))) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  // The packages of tests are not among them.
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const command = [process.execPath, join(copy, 'scripts/start.js')] as const;

  const first = runProgram(['--port', '0', '--exit-with-stdin'], {}, command);
  const url = await first.started;
  const lines = first.output().stderr.trimEnd().split('\n');
  expect(lines.at(0)).toMatch(/^Building the service/);
  expect(lines.at(-2)).toMatch(/^Built in [\d.]+ s: .*dist\/ \([\d.]+ MB\)\.$/);
  expect(lines.at(-1)).toBe('Starting the service.');
  expect(lines.slice(1, -2).sort()).toEqual([
    expect.stringMatching(/^ {2}built the guides after [\d.]+ s$/),
    expect.stringMatching(/^ {2}built the pages after [\d.]+ s$/),
    expect.stringMatching(/^ {2}built the service after [\d.]+ s$/),
  ]);
  for (const path of ['/api/methods/get', '/', '/docs', '/guides', '/openapi.json']) {
    const response = await fetch(url + path, { headers: { Accept: 'text/html, */*' } });
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
  first.process.stdin?.end();
  expect((await first.ended).code).toBe(0);

  const second = runProgram(['--port', '0', '--exit-with-stdin'], {}, command);
  await second.started;
  expect(second.output().stderr).toBe('');
}, 180_000);

test('ends when the npm that started it is terminated', async () => {
  const command = ['npm', '--prefix', copy, 'start', '--'] as const;
  const npm = runProgram(['--port', '0'], {}, command);
  const url = await npm.started;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  npm.process.kill('SIGTERM');
  await once(npm.process, 'exit');
  const isGone = () =>
    fetch(`${url}/health`).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
}, 60_000);
