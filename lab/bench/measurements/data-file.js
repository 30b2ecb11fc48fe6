/**
 * What a file with 10,000 records of one's own costs: how much later the first answer comes, and a page of the records
 * beside a page of our own events. The starts and the loads with and without it take turns.
 */

import { load, measure as measureLoad, median } from '../harness.js';
import { startProgram } from '../start-program.js';
import { writeRecordsFile } from '../ten-thousand-records.js';

const starts = 9;
const turns = 9;

export const about = `medians of ${starts} fresh processes with the file and as many without, in turn, and of ${turns} turns of 1 s`;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const file = writeRecordsFile();
  const later = [];
  const dearer = [];
  for (let start = 0; start < starts; start++) {
    const without = await measureStart([], '/api/Events?limit=1');
    const withFile = await measureStart(['--data', file], '/my/records?limit=1');
    later.push(withFile.ms - without.ms);
    dearer.push(withFile.processorMs - without.processorMs);
  }
  const pages = await measurePages(file);
  return [
    [
      '10,000 records by `--data`: first answer later by',
      `${median(later).toFixed(0)} ms (${median(dearer).toFixed(0)} ms of processor)`,
    ],
    [
      '`/my/records?limit=10` of them: processor time of `/api/Events?limit=10` times',
      `${median(pages).toFixed(2)} (${Math.min(...pages).toFixed(2)}–${Math.max(...pages).toFixed(2)})`,
    ],
  ];
}

/**
 * @param {string[]} flags
 * @param {string} path
 */
async function measureStart(flags, path) {
  const startedAt = performance.now();
  const program = await startProgram(flags);
  try {
    const response = await fetch(program.url + path);
    const page = /** @type {unknown[]} */ (await response.json());
    if (page.length !== 1) throw new Error(`${path} is no page of one record.`);
    return { ms: performance.now() - startedAt, processorMs: program.processorMs() };
  } finally {
    program.stop();
  }
}

/** @param {string} file */
async function measurePages(file) {
  const program = await startProgram(['--data', file]);
  const server = { ...program, startMs: 0, stop: async () => program.stop() };
  const [own, ours] = ['/my/records?limit=10', '/api/Events?limit=10'].map((path) => ({ path }));
  if (own === undefined || ours === undefined) throw new Error('There are two pages.');
  try {
    for (const request of [own, ours]) await load(program.url, request, {}, 1);
    const ratios = [];
    for (let turn = 0; turn < turns; turn++) {
      const { microseconds: ofOwn } = await measureLoad(server, own, pageCase, 1);
      const { microseconds: ofOurs } = await measureLoad(server, ours, pageCase, 1);
      ratios.push(ofOwn / ofOurs);
    }
    return ratios;
  } finally {
    program.stop();
  }
}

const pageCase = { name: 'a page', requests: {}, check: () => {} };
