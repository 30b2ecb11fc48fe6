/** The memory of the program while it sends large or slow responses. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { fetchMetrics } from '../operations/fetch-metrics.js';
import { endPrograms, type Program, runProgram } from '../support/run-program.js';

endPrograms();

const mebibyte = 1024 * 1024;
/** The minimum growth of a program that buffers its responses. */
const slackMebibytes = 64;

test.skipIf(process.platform !== 'linux').each([
  ['reproducible bytes', '/api/http/bytes/104857600?seed=1'],
  ['a bomb', '/api/http/encoding/identity?size=104857600'],
])('100 MiB of %s are generated while the client reads', async (_what, path) => {
  const program = runProgram(['--port', '0']);
  const url = await program.started;
  // The first large response loads code, which does not count.
  expect(await lengthOf(url + path.replace('104857600', '1048576'))).toBe(mebibyte);
  const before = residentMebibytes(program, true);
  expect(await lengthOf(url + path)).toBe(100 * mebibyte);
  expect(residentMebibytes(program) - before).toBeLessThan(slackMebibytes);
});

test('a thousand concurrent drips are accepted, and released when their clients leave', async () => {
  const program = runProgram(['--port', '0', '--metrics', 'on']);
  const url = await program.started;
  const held = async () => (await fetchMetrics(url)).samples('practice_api_held_requests');
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const drip = `${url}/api/http/drip?bytes=600&duration=300`;
  const responses = await Promise.all(Array.from({ length: 1000 }, () => begin(drip, agent)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(1000).fill(200));
  expect(await held()).toEqual([1000]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  agent.destroy();
  await expect.poll(held).toEqual([0]);
});

async function lengthOf(url: string): Promise<number> {
  const { body } = await fetch(url);
  let length = 0;
  for await (const chunk of body ?? []) length += chunk.length;
  return length;
}

function begin(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      // The error of a client that leaves.
      response.on('error', () => {});
      resolve(response);
    }).on('error', reject);
  });
}

/** The peak since the last reset. */
function residentMebibytes({ process: { pid } }: Program, isReset = false): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  if (!isReset) return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
