/** The single file and the native executable work in an otherwise empty folder, like the package. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/describe/openapi/json.js';
import { areas } from '../../src/service.js';
import { Caller } from '../openapi/caller.js';
import { maxAccounts } from '../openapi/calls/accounts.js';
import { Contract } from '../openapi/contract.js';
import { makeCalls } from '../openapi/make-calls.js';
import { nowMs } from '../openapi/now.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-single-'));
const folderOf = (name: string) => join(folder, `with-${name}`);
const names = ['practice-api.mjs', 'practice-api'] as const;

/** Bundles twice, and starts three programs that respond to thousands of calls each. */
const patience = 600_000;

let printed = '';

beforeAll(() => {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const built = spawnSync(process.execPath, ['scripts/build-single.js', folder], options);
  printed = built.stderr;
  expect(built.status, printed).toBe(0);
  for (const name of names) {
    mkdirSync(folderOf(name));
    copyFileSync(join(folder, name), join(folderOf(name), name));
  }
}, patience);
afterAll(() => rmSync(folder, { recursive: true }));

type Command = [string, ...string[]];

/** Runs in the folder of the file, where there is nothing else. */
function commandOf(name: (typeof names)[number]): Command {
  const program = name.endsWith('.mjs') ? [process.execPath, name] : [`./${name}`];
  return ['env', '--chdir', folderOf(name), ...program];
}

const key = 'a key that is the same in all programs';
const flags = [
  ...['--port', '0', '--tls-port', '0', '--max-accounts', String(maxAccounts)],
  ...['auth-jwt', 'auth-nonce', 'httpbin-nonce', 'cursor'].flatMap((name) => [
    `--${name}-key`,
    key,
  ]),
];
/** Sets the clock of the calls. A native executable loads it by `--require`, not by `--import`. */
const clockFile = join(folder, 'clock.cjs');
writeFileSync(clockFile, `Date.now = () => ${nowMs};`);

/** Calls every operation; returns the statuses and types of the responses. */
async function callAll(command?: Command): Promise<readonly string[]> {
  const program = runProgram(flags, { NODE_OPTIONS: `--require=${clockFile}` }, command);
  const url = await program.started;
  const [, tlsUrl] = /With TLS\s+(\S+)/.exec(program.output().stdout) ?? [];
  const description = await fetch(`${url}/openapi.json?formats=all`);
  const contract = new Contract((await description.json()) as JsonObject);
  const calls = await makeCalls(new Caller(url, contract.addresses, tlsUrl), contract);
  program.process.kill();
  expect(await program.ended).toEqual({ code: 0, signal: null });
  return calls.map(({ operationId, name, response: { status, headers } }) => {
    // A boundary is random.
    const [type] = (headers['content-type'] ?? '').split('; boundary');
    return `${operationId}, ${name}: ${status} ${type}`;
  });
}

let expected: readonly string[];
beforeAll(async () => {
  expected = await callAll();
}, patience);

test('the build says what it does, where the results are, and their sizes', () => {
  const [first, ...lines] = printed.trimEnd().split('\n');
  expect(first).toBe('Building a single file, and an executable from it.');
  expect(lines.slice(0, -1)).toEqual([
    expect.stringMatching(/^ {2}built the file after [\d.]+ s$/),
    expect.stringMatching(/^ {2}built the executable after [\d.]+ s$/),
  ]);
  expect(lines.at(-1)).toMatch(
    /^Built in [\d.]+ s: .*practice-api\.mjs \([\d.]+ MB\), .*practice-api(?:\.exe)? \([\d.]+ MB\)\.$/,
  );
});

describe.each(names)('%s, in an otherwise empty folder', (name) => {
  test('responds to the calls of all operations as the package does', {
    timeout: patience,
  }, async () => {
    expect(expected.length).toBeGreaterThan(2000);
    expect(await callAll(commandOf(name))).toEqual(expected);
    expect(readdirSync(folderOf(name))).toEqual([name]);
  });

  test('has the start of every area, and every page with its files', {
    timeout: patience,
  }, async () => {
    const program = runProgram(['--port', '0', '--log-level', 'silent'], {}, commandOf(name));
    const url = await program.started;
    const index = (await (await fetch(`${url}/`)).json()) as { areas: { start: string }[] };
    expect(index.areas.length).toBeGreaterThan(areas.length / 2);
    const pages = ['/docs', '/guides', '/guides/faults', '/graphql', '/bins', '/favicon.ico'];
    for (const path of [...index.areas.map(({ start }) => start), ...pages]) {
      const page = await fetch(new URL(path, url), { headers: { Accept: 'text/html, */*' } });
      expect(page.status, path).toBeLessThan(400);
      const assets = [...(await page.text()).matchAll(/"[^"]*\/?(assets\/[^"]+)"/g)];
      for (const [, asset] of assets) {
        const file = await fetch(`${url}/${asset}`);
        expect(file.status, asset).toBe(200);
        await file.arrayBuffer();
      }
    }
    program.process.kill();
    expect((await program.ended).code).toBe(0);
  });

  test('knows its version and its flags', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const printed = runProgram(['--version'], {}, commandOf(name));
    expect((await printed.ended).code).toBe(0);
    expect(printed.output()).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  if (!isAllowed) console.log('Skipped: a start without a network; no namespaces here.');

  test.runIf(isAllowed)('starts without a network', async () => {
    const program = runProgram(['--port', '0'], {}, ['unshare', '--net', ...commandOf(name)]);
    expect(await program.started).toMatch(/^http:/);
  });
});

test('they name the license of each package inside', () => {
  const file = readFileSync(join(folder, 'practice-api.mjs'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const licenses = file.slice(file.lastIndexOf('\n/*\n'));
  for (const name of Object.keys(dependencies)) expect(licenses).toContain(`\n${name} `);
});
