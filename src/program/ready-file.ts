/** The file that tells a test runner where the service listens. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError } from '#config/config.js';

interface Ready {
  readonly url: string;
  readonly tlsUrl: string | undefined;
}

/** Removes the file of an earlier start, which no reader may mistake for this one. Throws {@link ConfigError}. */
export function removeReadyFile(path: string): void {
  explainFailure(() => rmSync(path, { force: true }));
}

/** Removes the file at the end, unless a later start has replaced it. */
export function removeOwnReadyFile(path: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { readonly pid?: unknown };
    if (pid === process.pid) rmSync(path);
  } catch {
    // It is gone, or of someone else.
  }
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
