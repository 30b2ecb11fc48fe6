/**
 * How cost grows: what one thing takes in memory, and what making one and asking for one cost in processor time,
 * with 1, 1,000 and 100,000 of them. Idle WebSockets are as many as this system lets two processes open.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { openConnection } from '../../fuzz/connection.js';
import { writeRequest } from '../../fuzz/write-request.js';
import { growingThings } from '../growing-things.js';
import { median } from '../harness.js';
import { startProgram } from '../start-program.js';

/**
 * @typedef {import('../growing-things.js').PlainRequest} PlainRequest
 * @typedef {import('../growing-things.js').Thing} Thing
 * @typedef {Awaited<ReturnType<typeof start>>} Measured
 */

const stages = [1, 1000, 100_000];
const warmUps = 2000;
/** How many are timed at a time; of one number of things the median of some rounds counts. */
const timed = 1000;
const rounds = 9;
const pipelined = 50;
const connections = 4;
const patienceMs = 120_000;
const socketStages = [1, 1000, 9000];

export const about =
  'one process for each kind, after a warm-up; memory once garbage is collected, processor time of a request';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  /** @type {[string, string][]} */
  const rows = [];
  for (const thing of growingThings()) rows.push(...(await measureThing(thing)));
  rows.push(...(await measureSockets()));
  return rows;
}

/**
 * @param {Thing} thing
 * @returns {Promise<[string, string][]>}
 */
async function measureThing(thing) {
  const service = await start(thing.flags);
  try {
    await thing.prepare?.(service.send);
    /** @type {(first: number, count: number) => Promise<number>} */
    const makeMany = (first, count) =>
      service.costOf(
        count,
        (number) => thing.make(first + number),
        (number, response) => thing.made?.(first + number, response),
      );
    const askMany = (/** @type {number} */ among) =>
      service.costOf(timed, (number) => thing.ask((number * 7919) % among));
    // Beside those that are counted, so that none of them is dropped.
    await makeMany(thing.most, warmUps);
    const emptyBytes = (await service.memory()).held;
    let made = 0;
    /** @type {[string, string][]} */
    const rows = [];
    for (const stage of stages) {
      /** @type {number[]} */
      const costs = [];
      for (; made < stage; made += Math.min(timed, stage - made)) {
        costs.push(await makeMany(made, Math.min(timed, stage - made)));
      }
      const asked = [];
      for (let round = 0; round < rounds; round += 1) asked.push(await askMany(stage));
      const eachBytes = ((await service.memory()).held - emptyBytes) / stage;
      rows.push([
        `${stage.toLocaleString('en')} ${thing.name}`,
        [
          stage > 1 && `${Math.round(eachBytes).toLocaleString('en')} bytes each`,
          stage > 1 && `making one ${median(costs.slice(-rounds)).toFixed(1)} µs`,
          `asking for one ${median(asked).toFixed(1)} µs`,
        ]
          .filter(Boolean)
          .join(', '),
      ]);
    }
    return rows;
  } finally {
    service.stop();
  }
}

/** @returns {Promise<[string, string][]>} */
async function measureSockets() {
  const service = await start(['--web-sockets', '100000', '--max-connections', '100000']);
  /** @type {WebSocket[]} */
  const sockets = [];
  try {
    const askMany = () =>
      service.costOf(timed, () => ({ method: 'GET', path: '/api/methods/get' }));
    for (let round = 0; round < rounds; round += 1) await askMany();
    const emptyBytes = (await service.memory()).resident;
    /** @type {[string, string][]} */
    const rows = [];
    for (const stage of socketStages) {
      while (sockets.length < stage) sockets.push(await openSocket(service.url));
      const asked = [];
      for (let round = 0; round < rounds; round += 1) asked.push(await askMany());
      const eachBytes = ((await service.memory()).resident - emptyBytes) / stage;
      const memory = stage > 1 ? `${Math.round(eachBytes).toLocaleString('en')} bytes each, ` : '';
      rows.push([
        `${stage.toLocaleString('en')} idle WebSockets`,
        `${memory}another request ${median(asked).toFixed(1)} µs`,
      ]);
    }
    return rows;
  } finally {
    for (const socket of sockets) socket.terminate();
    service.stop();
  }
}

/**
 * @param {string} url
 * @returns {Promise<WebSocket>}
 */
function openSocket(url) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws/echo`, {
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** @param {string[]} flags */
async function start(flags) {
  const teller = fileURLToPath(new URL('../tell-memory.js', import.meta.url));
  let output = '';
  const program = await startProgram(flags, {
    nodeFlags: ['--expose-gc', '--max-old-space-size=8192', '--import', teller],
    onOutput: (text) => {
      output = (output + text).slice(-4096);
    },
  });
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection(program.url, patienceMs)),
  );

  /**
   * Sends so many requests, and tells what each cost on average, in µs of processor time.
   *
   * @param {number} count
   * @param {(number: number) => PlainRequest} requestOf
   * @param {(number: number, answer: import('../../fuzz/connection.js').WireAnswer) => void} [onResponse]
   */
  async function costOf(count, requestOf, onResponse) {
    const before = program.processorMs();
    let next = 0;
    await Promise.all(
      open.map(async (connection) => {
        while (next < count) {
          const first = next;
          next = Math.min(count, first + pipelined);
          const requests = Array.from({ length: next - first }, (_, at) => requestOf(first + at));
          const responses = await connection.sendAll(
            requests.map(written).join(''),
            requests.map(({ method }) => method),
          );
          for (const [at, response] of responses.entries()) {
            const isLimited = response.status === 429;
            if (response.status >= 400 && !isLimited)
              throw new Error(response.head + response.body);
            onResponse?.(first + at, response);
          }
        }
      }),
    );
    return ((program.processorMs() - before) * 1000) / count;
  }

  return {
    url: program.url,
    costOf,
    /** @param {PlainRequest} request */
    async send(request) {
      const connection = /** @type {import('../../fuzz/connection.js').KeptConnection} */ (open[0]);
      const response = await connection.send(written(request), request.method);
      if (response.status >= 400) throw new Error(response.head + response.body);
      return response;
    },
    /** @returns {Promise<{held: number, resident: number}>} */
    async memory() {
      output = '';
      process.kill(program.pid, 'SIGUSR2');
      for (;;) {
        const told = /memory (\{.*\})\n/.exec(output)?.[1];
        if (told !== undefined) return JSON.parse(told);
        await sleep(20);
      }
    },
    stop() {
      for (const connection of open) connection.close();
      program.stop('SIGKILL');
    },
  };
}

/** @param {PlainRequest} request */
function written({ method, path, headers = {}, body }) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = {
    ...headers,
    ...(text !== undefined && { 'Content-Type': 'application/json' }),
  };
  return writeRequest(method, path, Object.entries(all), text);
}
