/** Programs that no one here wrote, run against the service. */

import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';

export interface ForeignProgram {
  readonly isThere: boolean;
  /** What to start it by. */
  readonly command: string;
  /** Its standard output; rejects when it ends with a failure. */
  readonly run: (...args: string[]) => Promise<string>;
  /** `test`, or one that is skipped where the program is not installed; never in CI. */
  readonly test: typeof test | typeof test.skip;
}

/** Takes the first command that the probe's arguments succeed with; `name` is what to install. */
export function foreignProgram(
  name: string,
  commands: readonly string[],
  probe: readonly string[],
): ForeignProgram {
  const command = commands.find((each) => spawnSync(each, probe).status === 0);
  if (command === undefined && !process.env.CI) {
    console.log(`Skipped: the tests of ${name}, which is not installed.`);
    return {
      isThere: false,
      command: name,
      run: () => Promise.reject(new Error(`There is no ${name}.`)),
      test: test.skip,
    };
  }
  const found = command ?? commands[0] ?? name;
  return {
    isThere: true,
    command: found,
    async run(...args) {
      const { stdout } = await promisify(execFile)(found, args);
      return stdout;
    },
    test,
  };
}
