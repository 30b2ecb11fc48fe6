/** The flags for test runners that start the service as a child process. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const folder = mkdtempSync(join(tmpdir(), 'practice-api-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('--ready-file', () => {
  test('is written whole, with the URL of a service that responds', async () => {
    const readyFile = join(folder, 'ready.json');
    const program = runProgram(['--port', '0', '--ready-file', readyFile]);
    const url = await program.started;
    expect(JSON.parse(readFileSync(readyFile, 'utf8'))).toEqual({
      url,
      tlsUrl: null,
      pid: program.process.pid,
    });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    // Nothing else remains in the folder.
    expect(readdirSync(folder)).toEqual(['ready.json']);
  });

  test('has the URL for TLS, and replaces the file of an earlier start', async () => {
    const readyFile = join(folder, 'tls.json');
    writeFileSync(readyFile, 'of an earlier start');
    const environment = { READY_FILE: readyFile, TLS_PORT: '0', PORT: '0' };
    const program = runProgram([], environment);
    await program.started;
    const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
    expect(ready.tlsUrl).toMatch(/^https:\/\/localhost:\d+$/);
  });

  test('of an earlier start is removed before the service listens', async () => {
    const readyFile = join(folder, 'stale.json');
    writeFileSync(readyFile, '{}');
    // No address of this machine (RFC 5737).
    const program = runProgram(['--host', '192.0.2.1', '--ready-file', readyFile]);
    expect((await program.ended).code).toBe(2);
    expect(readdirSync(folder)).not.toContain('stale.json');
  });

  test('is removed at the end, unless a later start has replaced it', async () => {
    const readyFile = join(folder, 'ended.json');
    const first = runProgram(['--port', '0', '--ready-file', readyFile]);
    await first.started;
    const second = runProgram(['--port', '0', '--ready-file', readyFile]);
    const url = await second.started;
    first.process.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    expect(JSON.parse(readFileSync(readyFile, 'utf8')).url).toBe(url);
    second.process.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(readdirSync(folder)).not.toContain('ended.json');
  });

  test.each([
    ['a folder that does not exist', () => join(folder, 'missing', 'ready.json')],
    ['a folder', () => folder],
  ])('with the path of %s ends the program with status 2 and one line', async (_name, path) => {
    const program = runProgram(['--port', '0', '--ready-file', path()]);
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr).toMatch(/^The ready file cannot be written: .+\.\n$/);
  });
});

describe('--exit-with-stdin', () => {
  test('stops the service when its standard input closes', async () => {
    const program = runProgram(['--port', '0', '--exit-with-stdin']);
    await program.started;
    program.process.stdin?.write('what is written is ignored\n');
    program.process.stdin?.end();
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test('ends with 0 when it is closed before the service listens', async () => {
    const program = runProgram(['--port', '0'], { EXIT_WITH_STDIN: '1' });
    program.process.stdin?.end();
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test('leaves no orphan when the parent is killed', async () => {
    // It inherits the error output, which closes only when both processes have ended.
    const script = `
      const { spawn } = require('node:child_process');
      const args = [${JSON.stringify(builtProgram)}, '--port', '0', '--exit-with-stdin'];
      spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
    `;
    const parent = runProgram([], {}, [process.execPath, '-e', script]);
    const url = await parent.started;
    parent.process.kill('SIGKILL');
    expect(await parent.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  test('is off by default: the service ignores the end of its standard input', async () => {
    const program = runProgram(['--port', '0']);
    const url = await program.started;
    program.process.stdin?.end();
    await sleep(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});

describe('--json', () => {
  test('prints the banner as one line of JSON, with the free ports', async () => {
    const ports = ['--port', '0', '--tls-port', '0', '--httpbin-port', '0'];
    const program = runProgram([...ports, '--json', '--exit-with-stdin']);
    const line = await program.firstLine;
    const banner = JSON.parse(line);
    expect(banner).toMatchObject({
      name: 'Practice API',
      version: packageFile.version,
      pid: program.process.pid,
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      tlsUrl: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      ownUrls: { httpbin: expect.stringMatching(/^http:\/\/localhost:\d+$/) },
    });
    expect((await fetch(`${banner.ownUrls.httpbin}/get`)).status).toBe(200);
    program.process.stdin?.end();
    expect((await program.ended).code).toBe(0);
    expect(program.output().stdout).toBe(`${line}\n`);
  });

  test('is a setting of the environment too, and false turns it off', async () => {
    const line = await runProgram(['--port', '0'], { JSON: 'true' }).firstLine;
    expect(JSON.parse(line).tlsUrl).toBeNull();
    const program = runProgram(['--port', '0'], { JSON: 'false' });
    expect(await program.started).toMatch(/^http:/);
  });

  test.each([['JSON'], ['EXIT_WITH_STDIN']])('%s must be true or false', async (variable) => {
    const program = runProgram(['--port', '0'], { [variable]: 'perhaps' });
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr).toBe(`${variable} must be true or false; got "perhaps".\n`);
  });
});
