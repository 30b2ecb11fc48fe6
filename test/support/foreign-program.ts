/** Third-party programs, run against the service. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, test } from 'vitest';
import { commandsOf, missingPrograms, type ProgramName } from './find-program.js';

export interface TestsWithPrograms {
  readonly isInstalled: boolean;
  /** `test`, skipped where a program is not installed; in CI that is a failure. */
  readonly test: typeof test | typeof test.skip;
  readonly describe: typeof describe | typeof describe.skip;
}

/** For tests that need all of these programs. */
export function testsWith(...names: readonly ProgramName[]): TestsWithPrograms {
  const isInstalled = missingPrograms(names).length === 0;
  return {
    isInstalled,
    test: isInstalled ? test : test.skip,
    describe: isInstalled ? describe : describe.skip,
  };
}

export interface ForeignProgram extends TestsWithPrograms {
  /** The command that starts it. */
  readonly command: string;
  /** Returns the standard output; rejects when the program exits with a failure. */
  readonly run: (...args: string[]) => Promise<string>;
}

export function foreignProgram(name: ProgramName): ForeignProgram {
  const tests = testsWith(name);
  const [command = name] = commandsOf(name);
  return {
    ...tests,
    command,
    async run(...args) {
      const { stdout } = await promisify(execFile)(command, args);
      return stdout;
    },
  };
}
