/**
 * What a request costs over HTTP/2 and TLS beside HTTP/1.1 in plain, and beside nghttpd sending the same bytes from a
 * file. All of them are asked in turn by h2load.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../harness.js';
import { processorMs } from '../process-figures.js';
import { startProgram } from '../start-program.js';

const turns = 9;
const requests = 4000;
const connections = 16;
const streams = 8;
const path = '/api/Events/1';

export const about = `medians of ${turns} turns, each ${requests} requests of one event by h2load on ${connections} connections, over HTTP/2 ${streams} at once on each`;

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {string} url
 * @property {number} pid
 * @property {readonly string[]} flags
 */

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  let output = '';
  const onOutput = (/** @type {string} */ text) => {
    output += text;
  };
  const program = await startProgram(['--tls-port', '0', '--h2c'], { onOutput });
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-http2-'));
  try {
    const tlsUrl = /With TLS\s+(\S+)/.exec(output)?.[1];
    if (tlsUrl === undefined) throw new Error('The banner shows no address for TLS.');
    const response = await fetch(program.url + path);
    const other = await startNghttpd(folder, Buffer.from(await response.arrayBuffer()));
    const { url, pid } = program;
    const plain = { name: 'HTTP/1.1 in plain', url: url + path, pid, flags: ['--h1'] };
    const many = ['-m', String(streams)];
    const ways = [
      plain,
      { name: 'HTTP/2 in plain (`--h2c`)', url: url + path, pid, flags: many },
      { name: 'HTTP/1.1 over TLS', url: tlsUrl + path, pid, flags: ['--h1'] },
      { name: 'HTTP/2 over TLS', url: tlsUrl + path, pid, flags: many },
      { name: 'nghttpd, HTTP/2 over TLS', url: other.url, pid: other.pid, flags: many },
    ];
    try {
      return await compare(ways, plain);
    } finally {
      other.stop();
    }
  } finally {
    program.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {readonly Way[]} ways
 * @param {Way} first
 * @returns {Promise<[what: string, figure: string][]>}
 */
async function compare(ways, first) {
  for (const way of ways) await microseconds(way);
  const costs = new Map(ways.map((way) => [way, /** @type {number[]} */ ([])]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [way, taken] of costs) taken.push(await microseconds(way));
  }
  const base = costs.get(first) ?? [];
  return [...costs].map(([{ name }, taken]) => {
    const ratio = median(taken.map((each, turn) => each / (base[turn] ?? Number.NaN)));
    return [name, `${median(taken).toFixed(0)} µs of processor a request, ${ratio.toFixed(2)} ×`];
  });
}

/** @param {Way} way */
async function microseconds({ url, pid, flags }) {
  const before = processorMs(pid);
  const args = ['-n', String(requests), '-c', String(connections), ...flags, url];
  const { stdout } = await promisify(execFile)('h2load', args);
  const spent = processorMs(pid) - before;
  if (!stdout.includes(` ${requests} 2xx`)) throw new Error(`Not all are answered:\n${stdout}`);
  return (spent * 1000) / requests;
}

/**
 * @param {string} folder
 * @param {Uint8Array} body
 */
async function startNghttpd(folder, body) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request =
    'req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=localhost';
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
  writeFileSync(join(folder, 'event.json'), body);
  const port = await freePort();
  const args = ['-a', '127.0.0.1', '-d', folder, String(port), key, certificate];
  const child = spawn('nghttpd', args, { stdio: 'ignore' });
  await untilListening(port);
  return {
    url: `https://127.0.0.1:${port}/event.json`,
    pid: Number(child.pid),
    stop: () => child.kill(),
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {number} port */
async function untilListening(port) {
  for (let tried = 0; tried < 100; tried++) {
    const isUp = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
        resolve(false),
      );
      socket.unref();
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nghttpd does not listen.');
}
