/** What the process itself costs: the time to its first answer, and its memory when idle. */

import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../harness.js';
import { startProgram } from '../start-program.js';

const starts = 7;
const settleMs = 2000;

export const about = 'medians of several starts of `node dist/main.js`';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
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
  const program = await startProgram();
  try {
    await (await fetch(`${program.url}/api/methods/get`)).text();
    const firstAnswerMs = performance.now() - startedAt;
    await sleep(settleMs);
    return { firstAnswerMs, idleMebibytes: program.residentMebibytes() };
  } finally {
    program.stop();
  }
}
