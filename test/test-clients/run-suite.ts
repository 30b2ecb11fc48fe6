/** Runs the test suites of `clients/`, in their own languages, against the built service. */

import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { builtProgram } from '../support/run-program.js';

export const clients = fileURLToPath(new URL('../../clients/', import.meta.url));

export interface Suite {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Quoted, since a path may have spaces. */
export const startCommand = `"${process.execPath}" "${builtProgram}"`;

const environmentOf = ({ environment }: Suite, more: Readonly<Record<string, string>>) => ({
  ...process.env,
  // A proxy of the machine is not for services on this machine.
  NO_PROXY: 'localhost,127.0.0.1',
  PRACTICE_API_COMMAND: startCommand,
  ...environment,
  ...more,
});

/** Returns what the suite prints; rejects when a test of it fails. */
export async function runSuite(
  suite: Suite,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { command, args, folder } = suite;
  const env = environmentOf(suite, environment);
  try {
    return (await promisify(execFile)(command, args, { cwd: folder, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`);
  }
}

/** Kills a suite while a test of it waits, and expects that its service ends. */
export async function killSuite(suite: Suite, folder: string): Promise<void> {
  const file = join(folder, `pid-of-${suite.command.replaceAll('/', '-')}`);
  const { command, args } = suite;
  const env = environmentOf(suite, { HOLD_FILE: file });
  const runner = spawn(command, args, { cwd: suite.folder, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => {
    runner.once('close', (_code, signal) => resolve(signal));
  });
  try {
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+$/);
  } finally {
    runner.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
  const pid = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
}

export function isRunning(pid: number): boolean {
  try {
    // An ended process stays in the table until its parent waits for it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
