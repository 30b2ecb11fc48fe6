/** The memory of WebSockets, idle and busy. */

import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { measure as measureLoad } from '../../harness/load.js';
import { startService } from '../../harness/start-program.js';

const kibibyte = 1024;
const openedAtOnce = 50;
const seconds = 10;
const message = 'a'.repeat(kibibyte);

export const about = `one process for each row, the most memory (RSS) within ${seconds} s, less the memory before`;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  return [
    await measureSockets('idle', 5000, {}),
    await measureSockets('that send 1 KiB and wait for the echo', 500, { isBusy: true }),
    await measureSockets('the same with compressed echoes', 500, {
      isBusy: true,
      isCompressed: true,
    }),
  ];
}

/**
 * @param {string} name
 * @param {number} count
 * @param {{isBusy?: boolean, isCompressed?: boolean}} options
 * @returns {Promise<[what: string, figure: string]>}
 */
async function measureSockets(name, count, { isBusy = false, isCompressed = false }) {
  const flags = ['--web-sockets', '100000', '--max-connections', '100000'];
  const service = await startService(flags, { nodeFlags: ['--max-old-space-size=512'] });
  /** @type {WebSocket[]} */
  const sockets = [];
  let received = 0;
  /** @param {number} most */
  const openMany = async (most) => {
    while (sockets.length < most) {
      const missing = Math.min(openedAtOnce, most - sockets.length);
      const opened = Array.from({ length: missing }, () => open(service.url, isCompressed));
      sockets.push(...(await Promise.all(opened)));
    }
  };
  try {
    await openMany(20);
    await measureLoad(service, { path: '/api/methods/get' }, { seconds: 1 });
    for (const socket of sockets.splice(0)) socket.terminate();
    await sleep(1000);
    const before = service.residentMebibytes();
    await openMany(count);
    for (const socket of isBusy ? sockets : []) {
      socket.on('message', () => {
        received++;
        socket.send(message);
      });
      socket.send(message);
    }
    let most = 0;
    for (let second = 0; second < seconds; second++) {
      await sleep(1000);
      most = Math.max(most, service.residentMebibytes());
    }
    const mebibytes = most - before;
    const each = `${mebibytes.toFixed(0)} MiB, ${((mebibytes * kibibyte) / count).toFixed(1)} KiB each`;
    const rate = `${Math.round(received / seconds).toLocaleString('en')} messages a second`;
    return [
      `${count.toLocaleString('en')} WebSockets, ${name}`,
      isBusy ? `${each}; ${rate}` : each,
    ];
  } finally {
    for (const socket of sockets) socket.terminate();
    await service.stop();
  }
}

/**
 * @param {string} url
 * @param {boolean} isCompressed Whether the service compresses; this client never does
 * @returns {Promise<WebSocket>}
 */
function open(url, isCompressed) {
  const perMessageDeflate = isCompressed && { threshold: Number.POSITIVE_INFINITY };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws/echo`, { perMessageDeflate });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}
