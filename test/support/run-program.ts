import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { variablesOf } from '../../src/config/config.js';
import { settings } from '../../src/program/run-program.js';

export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Program {
  readonly process: ChildProcess;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Resolves with the URL once the banner shows it; rejects when the program ends first. */
  readonly started: Promise<string>;
  /** The first line of its output, such as the banner by `--json`; rejects when the program ends before it. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

const running = new Set<ChildProcess>();

/** Ends processes that a test leaves running. */
export function endPrograms(): void {
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
  });
}

/**
 * Runs a command, by default the built program in this version of Node, and collects its output.
 */
export function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  command: readonly [string, ...string[]] = [process.execPath, builtProgram],
): Program {
  const [file, ...firstArgs] = command;
  // Settings of the machine that runs the tests must not reach the program.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !variablesOf(settings).includes(name),
  );
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(file, [...firstArgs, ...args], { env });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const started = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const found = /Listening on\s+(\S+)/.exec(stdout);
      if (found?.[1]) resolve(found[1]);
    });
    ended.then(() => reject(new Error(`The program ended before it listened: ${stderr}`)));
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [line, ...rest] = stdout.split('\n');
      if (line !== undefined && rest.length > 0) resolve(line);
    });
    ended.then(() => reject(new Error(`The program ended before it printed a line: ${stderr}`)));
  });
  firstLine.catch(() => {});
  // A test that does not wait for the start must not get an unhandled rejection.
  started.catch(() => {});
  return { process: child, output: () => ({ stdout, stderr }), started, firstLine, ended };
}
