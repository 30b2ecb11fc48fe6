import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { variablesOf } from '../../src/config/config.js';
import { settings } from '../../src/service.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { buildImage, contextNames, type Image } from './build-image.js';

endPrograms();

const isRoot = process.getuid?.() === 0;
const root = new URL('../../', import.meta.url);
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');

describe('the Dockerfile', () => {
  test('passes a linter', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  test('uses images of a major version, and sets existing settings', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+-slim$/);
    const set = [...dockerfile.matchAll(/^ENV (\w+)=/gm)].map(([, name]) => name);
    for (const name of set) expect(['NODE_ENV', ...variablesOf(settings)]).toContain(name);
  });

  test('copies existing files only', () => {
    const lines = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
    expect(lines.filter((line) => line !== '' && !/^[#!]/.test(line))).toEqual(['*']);
    for (const name of contextNames()) expect(existsSync(new URL(name, root)), name).toBe(true);
  });
});

describe('the image', () => {
  let image: Image;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'practice-api-image-'));
    chmodSync(folder, 0o755);
    image = await buildImage(folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Runs as the image's user, in its folder, which belongs to another user; no file can grow
   * anywhere.
   */
  function start(environment: Readonly<Record<string, string>>, wrapper: readonly string[] = []) {
    const [uid = '', gid = ''] = image.user.split(':');
    const asUser = isRoot
      ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
      : [];
    const inFolder = ['env', '--chdir', image.folder, 'HOME=/nonexistent'];
    const command: [string, ...string[]] = [
      'env',
      ...wrapper,
      ...['prlimit', '--fsize=0', '--core=0'],
      ...inFolder,
      ...asUser,
      process.execPath,
      ...image.entrypoint.slice(1),
    ];
    const all = { ...image.environment, PORT: '0', ...environment };
    return runProgram([], all, command);
  }

  async function checkHealth(port: string): Promise<number | null> {
    const [, ...args] = image.healthCheck;
    const environment = { ...image.environment, PORT: port };
    const node: [string, ...string[]] = ['env', '--chdir', image.folder, process.execPath];
    return (await runProgram(args, environment, node).ended).code;
  }

  test('has everything the service needs to run, and no build tools', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(image.entrypoint).toEqual(['node', 'dist/main.js']);
    const modules = readdirSync(join(image.folder, 'node_modules'));
    expect(modules).toContain('find-my-way');
    for (const tool of ['typescript', 'vite', 'vitest', 'react']) {
      expect(modules).not.toContain(tool);
    }
  });

  test('serves everything without writing a file, is healthy, and stops on a signal', async () => {
    const program = start({ LOG_LEVEL: 'info' });
    const url = await program.started;
    const { port } = new URL(url);
    expect((await fetch(`${url}/api/Books/1`)).status).toBe(200);
    expect((await fetch(`${url}/bins`)).status).toBe(200);
    expect((await fetch(`${url}/graphql?sdl`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('practice_api_build_info');
    const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
    expect(made.status).toBe(201);
    expect(await checkHealth(port)).toBe(0);
    program.process.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(await checkHealth(port)).toBe(1);
  });

  test('is unhealthy when another server responds on its port', async () => {
    const other = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    expect(await checkHealth(String((other.address() as AddressInfo).port))).toBe(1);
    other.close();
  });

  const namespaces = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const isAllowed = spawnSync('unshare', [...namespaces.slice(1), 'true']).status === 0;
  if (!isAllowed) console.log('Skipped: the first process of a container; no namespaces here.');

  test.runIf(isAllowed)('stops by a signal as the first process of a container', async () => {
    const program = start({}, namespaces);
    const url = await program.started;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const outer = program.process.pid;
    // The process between them created the namespace, and waits.
    const inner = readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim();
    expect(readFileSync(`/proc/${inner}/status`, 'utf8')).toMatch(/^NSpid:\s+\d+\s+1$/m);
    process.kill(Number(inner), 'SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });
});
