/** What the largest that one sandbox can capture costs in memory: 100 bins of 50 bodies of 256 KiB. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { residentMebibytes } from './process.js';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const bins = 100;
const capturesPerBin = 50;
const body = Buffer.alloc(256 * 1024, 'x');
const mebibyte = 1024 * 1024;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measureFullBins() {
  const bodies = (bins * capturesPerBin * body.length) / mebibyte;
  const what = `memory with ${bins} full bins of 256 KiB bodies, ${bodies} MiB (RSS)`;
  return [
    [what, await fillAll()],
    ['the same with CAPTURE_BYTES of 256 MiB', await fillAll(256 * mebibyte)],
  ];
}

/** @param {number} [captureBytes] */
async function fillAll(captureBytes) {
  const flags = captureBytes === undefined ? [] : ['--capture-bytes', String(captureBytes)];
  const child = spawn(process.execPath, [program, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve) => {
      child.stdout.on('data', (chunk) => {
        const found = /Listening on\s+(\S+)/.exec(String(chunk));
        if (found) resolve(found[1]);
      });
    });
    const before = residentMebibytes(Number(child.pid));
    for (let bin = 0; bin < bins; bin++) await fillBin(url);
    const after = residentMebibytes(Number(child.pid));
    return `${after.toFixed(0)} MiB, ${before.toFixed(0)} MiB of them before`;
  } finally {
    child.kill();
  }
}

/** @param {string} url */
async function fillBin(url) {
  const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
  const bin = /** @type {{url: string}} */ (await made.json());
  const captures = Array.from({ length: capturesPerBin }, async () => {
    const answer = await fetch(bin.url, { method: 'POST', body });
    if (answer.status !== 200) throw new Error(`A capture was answered with ${answer.status}.`);
    await answer.text();
  });
  await Promise.all(captures);
}
