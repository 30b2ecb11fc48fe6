/** The last resort: an error that nothing caught ends the process, so that a supervisor restarts it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

test.each([
  ['thrown', 'throw new Error("a bug")', 'uncaughtException'],
  ['rejected', 'Promise.reject(new Error("a bug"))', 'unhandledRejection'],
])('an error that is %s ends the process with 70 and one line', async (_, code, origin) => {
  const preload = `data:text/javascript,${encodeURIComponent(
    `process.on('SIGUSR2', () => { ${code} });`,
  )}`;
  const args = ['--import', preload, program, '--port', '0', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  const [status] = await once(child, 'close');
  expect(status).toBe(70);
  const lines = errors.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'fatal', origin });
  expect(errors).toContain('a bug');
});
