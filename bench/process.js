/** What the process itself costs: the time to its first answer, and its memory when idle. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './harness.js';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const starts = 7;
const settleMs = 2000;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measureProcess() {
  const firstAnswerMs = [];
  const idleMebibytes = [];
  for (let start = 0; start < starts; start++) {
    const measured = await measureStart();
    firstAnswerMs.push(measured.firstAnswerMs);
    idleMebibytes.push(measured.idleMebibytes);
  }
  return [
    ['first answer after start', `${Math.round(median(firstAnswerMs))} ms`],
    ['memory when idle (RSS)', `${median(idleMebibytes).toFixed(1)} MiB`],
  ];
}

async function measureStart() {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve) => {
      child.stdout?.on('data', (chunk) => {
        const found = /Listening on\s+(\S+)/.exec(String(chunk));
        if (found) resolve(found[1]);
      });
    });
    await (await fetch(`${url}/api/methods/get`)).text();
    const firstAnswerMs = performance.now() - startedAt;
    await sleep(settleMs);
    return { firstAnswerMs, idleMebibytes: residentMebibytes(Number(child.pid)) };
  } finally {
    child.kill();
  }
}

/** @param {number} pid Linux only: elsewhere the figure is not a number. */
export function residentMebibytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
