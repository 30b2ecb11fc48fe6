/** Runs every example of the documentation against a service of its own, as a reader would. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ServiceOptions } from '../../src/index.js';
import { useService } from '../support/service.js';
import { consoleBlocks, type Example, isAsShown } from './console-blocks.js';

const root = new URL('../../', import.meta.url);
/** The address that the documentation uses for the reader's own service. */
const shownHost = 'localhost:3000';

/** What a text tells its reader to start the service with. */
const optionsOf: Readonly<Record<string, ServiceOptions>> = {
  'docs/accounts.md': { accounts: 'required', accountQuota: 20 },
};

const texts = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

for (const text of texts) {
  const examples = consoleBlocks(readFileSync(new URL(text, root), 'utf8'));
  if (examples.length === 0) continue;

  describe(text, () => {
    const service = useService(optionsOf[text]);

    test(`shows what its ${examples.length} examples print`, { timeout: 60_000 }, async () => {
      const printed = await runInOneShell(examples, new URL(service.url).host);
      for (const [index, { command, output, line }] of examples.entries()) {
        const where = `${text}:${line}: ${command}`;
        const actual = printed[index] ?? '';
        // The comparison of texts shows the reader of a failure what is different.
        if (!isAsShown(actual, output)) expect(`${where}\n${actual}`).toBe(`${where}\n${output}`);
      }
    });
  });
}

test('the README has examples', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  expect(consoleBlocks(readme).length).toBeGreaterThan(4);
});

/** One shell for all of a text's examples, so that a variable set by one is there for the next. */
async function runInOneShell(examples: readonly Example[], host: string): Promise<string[]> {
  const end = '=== end of example ===';
  const script = examples
    .map(({ command }) => `${command.replaceAll(shownHost, host)}\nprintf '%s' '${end}'`)
    .join('\n');
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-docs-'));
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
    return stdout.split(end).map((printed) => printed.replaceAll(host, shownHost));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
