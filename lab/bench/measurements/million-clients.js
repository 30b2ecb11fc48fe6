/**
 * What a million clients that each send one rate-limited request leave in memory, and what another
 * request costs before and after them: in processor time, which other load on the machine does not
 * stretch as it does waiting time.
 */

import { connect } from 'node:net';
import { startProgram } from '../start-program.js';

const stages = [10_000, 100_000, 500_000, 1_000_000];
const batchSize = 1000;
const pageRequests = 30_000;
const responseHead = 'HTTP/1.1 200';

export const about = 'one process, one request from each of a million clients';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const program = await startProgram();
  try {
    const client = await pipelinedClient(program.url);
    /** @type {[string, string][]} */
    const rows = [];
    const note = (/** @type {string} */ what) =>
      rows.push([what, `${program.residentMebibytes().toFixed(1)} MiB`]);
    /** @param {number} index */
    const limited = (index) => `/api/RateLimit HTTP/1.1\r\nX-Client-Id: client-${index}`;
    const notePage = async (/** @type {string} */ when) =>
      rows.push([`a page of events ${when}`, `${await pageMicroseconds(client, program)} µs`]);

    await client.send(limited, 0, 1);
    note('memory (RSS) after 1 client');
    await pageMicroseconds(client, program);
    await notePage('after 1 client');
    let sent = 1;
    for (const stage of stages) {
      for (; sent < stage; sent += batchSize) {
        await client.send(limited, sent, Math.min(batchSize, stage - sent));
      }
      sent = stage;
      note(`memory after ${stage.toLocaleString('en')} clients`);
      await notePage(`after ${stage.toLocaleString('en')} clients`);
    }
    client.end();
    return rows;
  } finally {
    program.stop();
  }
}

/**
 * The processor time of one request, on average over many. Linux only.
 *
 * @param {Awaited<ReturnType<typeof pipelinedClient>>} client
 * @param {import('../start-program.js').RunningProgram} program
 */
async function pageMicroseconds(client, program) {
  const before = program.processorMs();
  for (let sent = 0; sent < pageRequests; sent += batchSize) {
    await client.send(() => '/api/Events?limit=10 HTTP/1.1', sent, batchSize);
  }
  return (((program.processorMs() - before) / pageRequests) * 1000).toFixed(1);
}

/**
 * Sends many requests at a time over one connection and counts their answers.
 *
 * @param {string} url
 */
async function pipelinedClient(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await new Promise((resolve) => socket.once('connect', resolve));
  let awaited = 0;
  let tail = '';
  /** @type {(value?: unknown) => void} */
  let done = () => {};
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1');
    if (/HTTP\/1\.1 [345]/.test(text)) throw new Error('A request was refused');
    awaited -= text.split(responseHead).length - 1;
    // A head may be split between two chunks; a whole one is too long to be counted twice.
    tail = text.slice(1 - responseHead.length);
    if (awaited === 0) done();
  });
  return {
    /** @type {(requestOf: (index: number) => string, first: number, count: number) => Promise<unknown>} */
    send(requestOf, first, count) {
      awaited = count;
      const requests = Array.from(
        { length: count },
        (_, index) => `GET ${requestOf(first + index)}\r\nHost: ${host}\r\n\r\n`,
      );
      return new Promise((resolve) => {
        done = resolve;
        socket.write(requests.join(''));
      });
    },
    end: () => socket.end(),
  };
}
