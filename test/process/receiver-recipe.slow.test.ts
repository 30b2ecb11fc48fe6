/** The recipe of the guide that tests a webhook receiver in CI, as a shell runs it. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../scripts/free-port.js';
import { receiverFile } from '../deliveries/receivers.js';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const guide = readFileSync(
  new URL('../../docs/test-a-webhook-receiver.md', import.meta.url),
  'utf8',
);

interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}

/** Returns the status of the shell, and whether the file of results exists. */
async function runRecipe(receiver: string) {
  const [, yaml = ''] = /```yaml\n(name: receiver\n.*?)```/s.exec(guide) ?? [];
  const job: Job = parse(yaml).jobs.receiver;
  const script = job.steps.map(({ run = '' }) => run).find((run) => run.includes('listen')) ?? '';
  const [port, hook] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-recipe-'));
  const adapted = script
    .replaceAll(/\bpractice-api(?= (?:--port|listen))/g, `'${process.execPath}' '${program}'`)
    .replaceAll('receiver.mjs', receiverFile(receiver))
    .replaceAll(/\b3000\b/g, String(port))
    .replaceAll(/\b8000\b/g, String(hook))
    .replace('listen --verify', `listen --url http://localhost:${port} --settle 0.5 --verify`);
  // GitHub runs it so, and ends what is left.
  const options = {
    cwd: folder,
    detached: true,
    stdio: 'ignore' as const,
    env: { ...process.env, ...job.env, PORT: String(hook) },
  };
  const shell = spawn('bash', ['-eo', 'pipefail', '-c', adapted], options);
  const status = await new Promise((resolve) => shell.once('exit', resolve));
  process.kill(-(shell.pid ?? 0));
  const hasResults = existsSync(join(folder, 'receiver.xml'));
  rmSync(folder, { recursive: true });
  return { status, hasResults };
}

test('a careful receiver passes, and a careless one fails', async () => {
  expect(await runRecipe('careful-express.mjs')).toEqual({ status: 0, hasResults: true });
  expect(await runRecipe('careless-express.mjs')).toEqual({ status: 1, hasResults: true });
});
