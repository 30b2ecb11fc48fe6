/** What the largest that one sandbox can capture costs in memory: 100 bins of 50 bodies of 256 KiB. */

import { startProgram } from '../start-program.js';

const bins = 100;
const capturesPerBin = 50;
const body = Buffer.alloc(256 * 1024, 'x');
const mebibyte = 1024 * 1024;

export const about = 'one process, every bin filled to the last capture';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const bodies = (bins * capturesPerBin * body.length) / mebibyte;
  const what = `memory with ${bins} full bins of 256 KiB bodies, ${bodies} MiB (RSS)`;
  return [
    [what, await fillAll([])],
    [
      'the same with CAPTURE_BYTES of 256 MiB',
      await fillAll(['--capture-bytes', String(256 * mebibyte)]),
    ],
  ];
}

/** @param {string[]} flags */
async function fillAll(flags) {
  const program = await startProgram(flags);
  try {
    const before = program.residentMebibytes();
    for (let bin = 0; bin < bins; bin++) await fillBin(program.url);
    const after = program.residentMebibytes();
    return `${after.toFixed(0)} MiB, ${before.toFixed(0)} MiB of them before`;
  } finally {
    program.stop();
  }
}

/** @param {string} url */
async function fillBin(url) {
  const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
  const bin = /** @type {{url: string}} */ (await made.json());
  const captures = Array.from({ length: capturesPerBin }, async () => {
    const response = await fetch(bin.url, { method: 'POST', body });
    if (response.status !== 200) throw new Error(`A capture was answered with ${response.status}.`);
    await response.text();
  });
  await Promise.all(captures);
}
