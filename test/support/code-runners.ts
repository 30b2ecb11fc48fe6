/** Runs code as users paste it, with the programs it is written for, and returns their output. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { foreignProgram } from './foreign-program.js';
import { warmCommands } from './warm-python.js';

/** Makes HTTPie behave as at a terminal: it prints heads, and reads no input. */
const configFolder = mkdtempSync(join(tmpdir(), 'practice-api-httpie-'));
writeFileSync(
  join(configFolder, 'config.json'),
  JSON.stringify({ default_options: ['--print=hb', '--pretty=none', '--ignore-stdin'] }),
);
process.once('exit', () => rmSync(configFolder, { recursive: true }));

const curl = foreignProgram('curl');
const httpie = foreignProgram('httpie');
const python = foreignProgram('requests');

async function runShell(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', code]);
  return stdout;
}

const warm = warmCommands(python.command, configFolder);

async function runHttpie(code: string): Promise<string> {
  const env = { ...process.env, PATH: `${await warm()}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', code], { env });
  return stdout;
}

async function runPython(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(await warm(), 'run-python'), [code]);
  return stdout;
}

async function runNode(code: string): Promise<string> {
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

interface CodeRunner {
  readonly isInstalled: boolean;
  /** `test`, skipped where the program is not installed; in CI that is a failure. */
  readonly test: typeof curl.test;
  /** Returns the standard output; rejects when the program fails. */
  readonly run: (code: string) => Promise<string>;
}

/** Runners by the ids of the clients that examples are shown in. */
export const codeRunners: Readonly<Record<string, CodeRunner>> = {
  curl: { ...curl, run: runShell },
  fetch: { isInstalled: true, test, run: runNode },
  python: { ...python, run: runPython },
  httpie: { ...httpie, run: runHttpie },
};

/** The status of the last response in the output of such code. */
export function lastStatus(output: string): number {
  const found = [...output.matchAll(/^(\d{3})$|HTTP\/\S+ (\d{3})\b/gm)];
  const [, alone, inHead] = found.at(-1) ?? [];
  return Number(alone ?? inHead ?? 0);
}
