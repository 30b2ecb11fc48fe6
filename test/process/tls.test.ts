/** The program with TLS: its output, and its exit status. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

test('the banner shows the URL with TLS', async () => {
  const program = runProgram(['--port', '0', '--tls-port', '0']);
  const url = await program.started;
  const [, tlsUrl = ''] =
    /With TLS\s+(https:\/\/localhost:\d+)/.exec(program.output().stdout) ?? [];
  const sites = (await fetch(`${url}/tls`).then((each) => each.json())) as { url: string }[];
  expect(new URL(tlsUrl).port).toBe(new URL(sites[0]?.url ?? '').port);
});

test('an unusable folder is reported in one line, and ends the program with 2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-tls-dir-'));
  writeFileSync(join(folder, 'ca.pem'), 'nothing');
  const program = runProgram(['--port', '0', '--tls-port', '0', '--tls-dir', folder]);
  expect((await program.ended).code).toBe(2);
  const { stdout, stderr } = program.output();
  expect(stdout).toBe('');
  expect(stderr).toBe(
    `TLS_DIR is ${folder}, but ca-key.pem is missing next to the other file of the root.\n`,
  );
  rmSync(folder, { recursive: true });
});
