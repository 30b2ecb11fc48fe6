/** The file that tells a test runner where the service listens. */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError } from '#config/config.js';

interface Ready {
  readonly url: string;
  readonly tlsUrl: string | undefined;
}

/** Removes the file of an earlier start, which no reader may mistake for this one. Throws {@link ConfigError}. */
export function removeReadyFile(path: string): void {
  explainFailure(() => rmSync(path, { force: true }));
}

/** Writes the whole file at once: a reader sees all of it or no file. Throws {@link ConfigError}. */
export function writeReadyFile(path: string, { url, tlsUrl }: Ready): void {
  const { pid } = process;
  const temporary = `${path}.${pid}.tmp`;
  explainFailure(() => {
    rmSync(temporary, { force: true });
    // In a folder that others can write to, a link of this name must not be followed.
    writeFileSync(temporary, `${JSON.stringify({ url, tlsUrl: tlsUrl ?? null, pid })}\n`, {
      flag: 'wx',
    });
    renameSync(temporary, path);
  });
}

function explainFailure(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new ConfigError([`The ready file cannot be written: ${(error as Error).message}.`]);
  }
}
