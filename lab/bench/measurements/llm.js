/** Streams of language models, beside aimock. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProgram, startService } from '../../harness/start-program.js';

const tokens = 400;
/** Both send four characters in a chunk. */
const text = 'abc '.repeat(tokens).trim();
const atOnce = 10;
const seconds = 8;
const warmupSeconds = 2;
const aimockPort = 3978;

export const about = `a chat completion of ${tokens} tokens as a stream, with one token in each chunk; ${atOnce} clients for ${seconds} s`;

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} path
 * @property {() => Promise<import('../../harness/start-program.js').RunningProgram>} start
 */

/** @type {readonly Contender[]} */
const contenders = [
  {
    name: 'practice-api',
    path: '/s/bench/llm/openai/v1/chat/completions',
    start: () => startService(),
  },
  {
    name: 'practice-api, shared sandbox, without judge',
    path: '/llm/openai/v1/chat/completions',
    start: () => startService(),
  },
  { name: '@copilotkit/aimock', path: '/v1/chat/completions', start: startAimock },
];

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  /** @type {[what: string, figure: string][]} */
  const rows = [];
  for (const contender of contenders) rows.push(await measureOne(contender));
  return rows;
}

/**
 * @param {Contender} contender
 * @returns {Promise<[what: string, figure: string]>}
 */
async function measureOne({ name, path, start }) {
  const service = await start();
  try {
    const url = service.url + path;
    await runFor(url, warmupSeconds);
    const before = service.processorMs();
    const { streams, chunks } = await runFor(url, seconds);
    const perStream = (service.processorMs() - before) / streams;
    const rate = Math.round(chunks / seconds).toLocaleString('en');
    return [name, `${rate} tokens a second; ${perStream.toFixed(2)} ms of a processor a stream`];
  } finally {
    await service.stop();
  }
}

/**
 * @param {string} url
 * @param {number} duration Seconds
 */
async function runFor(url, duration) {
  const end = performance.now() + 1000 * duration;
  let streams = 0;
  let chunks = 0;
  const loop = async () => {
    while (performance.now() < end) {
      chunks += await readStream(url);
      streams += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return { streams, chunks };
}

/**
 * Returns the number of tokens of a stream.
 *
 * @param {string} url
 */
async function readStream(url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer sk-practice-openai',
    },
    body: JSON.stringify({
      model: 'practice-1',
      stream: true,
      messages: [{ role: 'user', content: `repeat: ${text}` }],
    }),
  });
  const body = await response.text();
  const count = body.split('"content":"').length - 1;
  if (!response.ok || count < tokens) throw new Error(`${url}: ${response.status}, ${count}`);
  return tokens;
}

async function startAimock() {
  const folder = mkdtempSync(join(tmpdir(), 'aimock-'));
  const fixtures = [{ match: { userMessage: 'repeat' }, response: { content: text } }];
  writeFileSync(join(folder, 'fixtures.json'), JSON.stringify({ fixtures }));
  const main = createRequire(import.meta.url).resolve('@copilotkit/aimock');
  const program = join(dirname(main), 'cli.js');
  const flags = ['--port', String(aimockPort), '--fixtures', folder, '--chunk-size', '4'];
  const args = [program, ...flags, '--log-level', 'silent'];
  const started = await startProgram(process.execPath, args, {
    url: `http://127.0.0.1:${aimockPort}`,
  });
  return {
    ...started,
    async stop() {
      await started.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
