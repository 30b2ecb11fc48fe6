/** Streams of the MCP server, idle and busy, beside the official practice server. */

import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram, startService } from '../../harness/start-program.js';

const revision = '2025-11-25';
const kibibyte = 1024;
const openedAtOnce = 25;
const perSandbox = 50;
const seconds = 10;
const everythingPort = 3977;

export const about = `sessions of revision ${revision} with an open stream each; memory (RSS) is the most within ${seconds} s, less the memory before`;

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => Promise<import('../../harness/start-program.js').RunningProgram>} start
 * @property {(index: number) => string} path
 * @property {{name: string, arguments: object}} tool
 * @property {true} [isBusyOnly]
 */

/** @type {readonly Contender[]} */
const contenders = [
  {
    name: 'practice-api',
    start: () => startService(),
    path: (index) => `/s/bench-${Math.floor(index / perSandbox)}/mcp`,
    tool: { name: 'greet', arguments: { name: 'Ada' } },
  },
  {
    name: 'practice-api, shared sandbox, where no judge listens',
    start: () => startService(),
    path: () => '/mcp',
    tool: { name: 'greet', arguments: { name: 'Ada' } },
    isBusyOnly: true,
  },
  {
    name: '@modelcontextprotocol/server-everything',
    start: startEverything,
    path: () => '/mcp',
    tool: { name: 'echo', arguments: { message: 'Ada' } },
  },
];

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  /** @type {[what: string, figure: string][]} */
  const rows = [];
  for (const contender of contenders) {
    if (!contender.isBusyOnly) rows.push(await measureStreams(contender, 1000, false));
    rows.push(await measureStreams(contender, 100, true));
  }
  return rows;
}

/**
 * @param {Contender} contender
 * @param {number} count
 * @param {boolean} isBusy
 * @returns {Promise<[what: string, figure: string]>}
 */
async function measureStreams({ name, start, path, tool }, count, isBusy) {
  const service = await start();
  const closing = new AbortController();
  let received = 0;
  let isOver = false;
  try {
    await openSession(service.url + path(0), closing.signal);
    await sleep(1000);
    const before = service.residentMebibytes();
    /** @type {(() => Promise<unknown>)[]} */
    const calls = [];
    while (calls.length < count) {
      const opened = Array.from({ length: openedAtOnce }, (_, index) => {
        const url = service.url + path(calls.length + index);
        return openSession(url, closing.signal);
      });
      for (const session of await Promise.all(opened)) {
        calls.push(() => session.call('tools/call', tool));
      }
    }
    const loops = (isBusy ? calls : []).map(async (call) => {
      while (!isOver) {
        await call();
        received += 1;
      }
    });
    let most = 0;
    for (let second = 0; second < seconds; second += 1) {
      await sleep(1000);
      most = Math.max(most, service.residentMebibytes());
    }
    const rate = Math.round(received / seconds).toLocaleString('en');
    isOver = true;
    await Promise.all(loops);
    const mebibytes = most - before;
    const memory = `${mebibytes.toFixed(0)} MiB, ${((mebibytes * kibibyte) / count).toFixed(1)} KiB each`;
    const what = `${name}: ${count.toLocaleString('en')} streams, ${isBusy ? 'busy' : 'idle'}`;
    return [what, isBusy ? `${memory}; ${rate} tool calls a second` : memory];
  } finally {
    closing.abort();
    await service.stop();
  }
}

/**
 * Begins a session, and opens its stream.
 *
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function openSession(url, signal) {
  /** @type {Record<string, string>} */
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  let id = 0;
  /** @param {object} message */
  const post = async (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
    return response;
  };
  /**
   * @param {string} method
   * @param {object} params
   */
  const call = (method, params) => {
    id += 1;
    return post({ id, method, params });
  };
  const begun = await call('initialize', {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  headers['Mcp-Session-Id'] = String(begun.headers.get('mcp-session-id'));
  headers['MCP-Protocol-Version'] = revision;
  await post({ method: 'notifications/initialized' });
  const stream = await fetch(url, {
    headers: { ...headers, Accept: 'text/event-stream' },
    signal,
  });
  if (!stream.ok) throw new Error(`${url}: ${stream.status}`);
  return { call };
}

function startEverything() {
  const program = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  return startProgram(
    'env',
    [`PORT=${everythingPort}`, process.execPath, program, 'streamableHttp'],
    { url: `http://127.0.0.1:${everythingPort}` },
  );
}
