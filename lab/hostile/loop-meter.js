/**
 * Measures how long the event loop of a service is blocked, in processor time of its main thread: other processes on
 * the machine do not count. Preloaded with `node --import`; appends a line to the file in LOOP_METER_FILE for each
 * block over 25 ms, with the time of its end (ms since 1970), its processor time and its wall time in ms. Linux only.
 */

import { appendFileSync, openSync, readSync } from 'node:fs';

const tickMs = 5;
const minBlockMs = 25;

const { LOOP_METER_FILE: file } = process.env;
const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const buffer = Buffer.alloc(64);

/** Processor time of the main thread so far, in ms. */
function processorMs() {
  const length = readSync(schedule, buffer, 0, buffer.length, 0);
  return Number.parseInt(buffer.toString('latin1', 0, length), 10) / 1e6;
}

let wall = performance.now();
let processor = processorMs();

function tick() {
  const nowWall = performance.now();
  const nowProcessor = processorMs();
  const block = nowProcessor - processor;
  if (block > minBlockMs && file !== undefined) {
    const parts = [Date.now(), block.toFixed(0), (nowWall - wall).toFixed(0)];
    appendFileSync(file, `${parts.join(' ')}\n`);
  }
  wall = nowWall;
  processor = nowProcessor;
}

setInterval(tick, tickMs).unref();
