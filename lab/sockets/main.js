/**
 * What WebSockets cost: opens many on a service of this build and reads its memory. Prints a line for each kind.
 *
 *     node lab/sockets/main.js --idle 5000 --busy 500
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ourProgramFile } from '../bench/our-program.js';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '5000' },
    busy: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
  },
});

const port = 4399;
const kibibyte = 1024;

/** Starts a service with room for all sockets from one address. */
async function startService() {
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    WEB_SOCKETS: '100000',
    MAX_CONNECTIONS: '100000',
    METRICS: 'on',
  };
  const service = spawn(process.execPath, ['--max-old-space-size=512', ourProgramFile], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => service.stdout.once('data', resolve));
  return service;
}

/** @param {{ readonly pid?: number | undefined }} service */
function residentKib({ pid }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** @param {number} n */
const keyOf = (n) => createHash('md5').update(String(n)).digest('base64');

/**
 * Opens a socket, and calls `onBytes` with what comes after the handshake.
 *
 * @param {number} n
 * @param {string} path
 * @param {string} headers
 * @param {(bytes: Buffer) => void} onBytes
 * @returns {Promise<import('node:net').Socket>}
 */
function open(n, path, headers, onBytes) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${keyOf(n)}\r\nX-Sandbox: s${n % 100}\r\n${headers}\r\n`,
    );
    socket.once('data', (head) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) reject(new Error(String(head)));
      socket.on('data', onBytes);
      resolve(socket);
    });
  });
}

/**
 * @param {number} count
 * @param {string} path
 * @param {string} headers
 * @param {(bytes: Buffer) => void} [onBytes]
 */
async function openAll(count, path, headers, onBytes = () => {}) {
  const sockets = [];
  for (let n = 0; n < count; n += 50) {
    const some = Array.from({ length: Math.min(50, count - n) }, (_, each) =>
      open(n + each, path, headers, onBytes),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** A masked text of 1 KiB, whose mask is nothing. */
const message = Buffer.concat([
  Buffer.from([0x81, 0xfe, 4, 0, 0, 0, 0, 0]),
  Buffer.alloc(kibibyte, 'a'),
]);
const echoBytes = 4 + kibibyte;

/**
 * @param {string} title
 * @param {number} count
 * @param {string} headers
 * @param {boolean} isBusy
 */
async function measure(title, count, headers, isBusy, isCounted = isBusy) {
  const service = await startService();
  let isOver = false;
  try {
    const warm = await openAll(20, '/api/ws/echo', headers);
    for (const socket of warm) socket.destroy();
    await sleep(1_000);
    const before = residentKib(service);
    let received = 0;
    const sockets = await openAll(count, '/api/ws/echo', headers, ({ length }) => {
      received += length;
    });
    if (isBusy) {
      for (const socket of sockets) {
        const write = () => {
          if (!isOver) socket.write(message);
        };
        socket.on('data', write);
        write();
      }
    }
    let peak = 0;
    for (let second = 0; second < Number(values.seconds); second++) {
      await sleep(1_000);
      peak = Math.max(peak, residentKib(service));
    }
    isOver = true;
    const each = ((peak - before) / count).toFixed(1);
    const rate = isCounted
      ? `, ${Math.round(received / echoBytes / Number(values.seconds))} messages/s`
      : '';
    console.log(
      `${title}: ${count} sockets, ${Math.round((peak - before) / kibibyte)} MiB, ${each} KiB each${rate}`,
    );
    for (const socket of sockets) socket.destroy();
  } finally {
    service.kill();
  }
}

const deflate = 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n';
await measure('idle', Number(values.idle), '', false);
await measure('busy', Number(values.busy), '', true);
await measure('busy, compressed by the service', Number(values.busy), deflate, true, false);
process.exit(0);
