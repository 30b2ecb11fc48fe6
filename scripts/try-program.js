/** Starts a program of the service, requests a few of its pages, and stops it: `node scripts/try-program.js COMMAND…`. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const paths = [
  '/health/ready',
  '/api/Books/1',
  '/openapi.json',
  '/docs',
  '/graphql?sdl',
  '/guides',
];
const startMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'practice-api-try-'));
const readyFile = join(folder, 'ready.json');
const [command = '', ...args] = process.argv.slice(2);
const flags = ['--port', '0', '--ready-file', readyFile, '--exit-with-stdin'];
const startedAt = performance.now();
const program = spawn(command, [...args, ...flags], { stdio: ['pipe', 'ignore', 'inherit'] });
const ended = new Promise((resolve) => {
  program.once('error', (error) => resolve(error.message)).once('close', resolve);
});

while (!existsSync(readyFile)) {
  if (program.exitCode !== null || performance.now() - startedAt > startMs) {
    throw new Error(`${command} does not start.`);
  }
  await sleep(10);
}
console.log(`Ready after ${Math.round(performance.now() - startedAt)} ms.`);
const { url } = JSON.parse(readFileSync(readyFile, 'utf8'));
for (const path of paths) {
  const response = await fetch(url + path);
  console.log(`${response.status} ${path}, ${(await response.arrayBuffer()).byteLength} bytes`);
  if (!response.ok) process.exitCode = 1;
}
program.stdin.end();
const code = await ended;
rmSync(folder, { recursive: true });
if (code !== 0) throw new Error(`${command} ended with ${code}.`);
