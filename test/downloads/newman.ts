/** Runs a collection with Newman, in a separate process. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const newman = fileURLToPath(new URL('../node_modules/newman/bin/newman.js', import.meta.url));

export interface NewmanRun {
  readonly assertions: number;
  readonly requests: number;
  /** Failures, each with its request, message and reason. */
  readonly failures: readonly string[];
}

interface Report {
  readonly run: {
    readonly stats: Record<'assertions' | 'requests', { readonly total: number }>;
    readonly failures: readonly {
      readonly parent?: { readonly name?: string };
      readonly source?: { readonly name?: string };
      readonly at: string;
      readonly error: { readonly test?: string; readonly message: string };
    }[];
  };
}

export async function runNewman(
  collectionUrl: string,
  args: readonly string[] = [],
): Promise<NewmanRun> {
  const folder = mkdtempSync(join(tmpdir(), 'newman-'));
  const file = join(folder, 'report.json');
  const reporting = ['--reporters', 'json', '--reporter-json-export', file, '--suppress-exit-code'];
  try {
    await promisify(execFile)(process.execPath, [
      newman,
      'run',
      collectionUrl,
      ...reporting,
      ...args,
    ]);
    const { stats, failures } = (JSON.parse(readFileSync(file, 'utf8')) as Report).run;
    return {
      assertions: stats.assertions.total,
      requests: stats.requests.total,
      failures: failures.map(({ parent, source, at, error }) =>
        [parent?.name, source?.name, at, error.test, error.message].join(' | '),
      ),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
