/** Connections that cost the handshake of TLS, or half of it. */

import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import {
  begin,
  endHeaders,
  endStream,
  frame,
  openWindow,
  requestBlock,
  types,
} from '../http2-frames.js';

const flags = ['--tls-port', '0'];
/** The proxy has TLS of its own, and handshakes come before accounts. */
const isFor = (/** @type {import('../attacker.js').Mode} */ { isProxied, hasAccounts }) =>
  !isProxied && !hasAccounts;

const name = 'good.localhost';

/**
 * Lets the rest be done at the port for TLS.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
async function findDoor(attacker) {
  const { text } = await attacker.ask('GET', '/tls');
  /** @type {{name: string, url: string}[]} */
  const sites = JSON.parse(text);
  const { port } = new URL(sites.find((site) => site.name === 'good')?.url ?? '');
  attacker.url = `https://127.0.0.1:${port}`;
  return firstFlight();
}

/** What a client says first, and all alone. */
async function firstFlight() {
  /** @type {Buffer[]} */
  const said = [];
  const wire = new Duplex({
    read() {},
    write(chunk, _encoding, callback) {
      said.push(chunk);
      callback();
    },
  });
  const socket = connect({ socket: wire, servername: name, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  while (said.length === 0) await sleep(5);
  socket.destroy();
  return Buffer.concat(said);
}

/** @type {readonly import('../attacker.js').Attack[]} */
export const tlsAttacks = [
  {
    name: 'TLS: 3,000 handshakes that are begun and left',
    isFor,
    flags,
    prepare: findDoor,
    async run(attacker, hello) {
      await attacker.openMany(3000, (socket) => {
        socket.resume();
        socket.write(hello);
      });
      await attacker.untilOver();
    },
  },
  {
    name: 'TLS: 1,000 handshakes of a byte every 100 ms',
    seconds: 30,
    isFor,
    flags,
    prepare: findDoor,
    async run(attacker, hello) {
      const sockets = await attacker.openMany(1000, (socket) => void socket.resume());
      let place = 0;
      while (!attacker.isOver()) {
        for (const socket of sockets) {
          if (!socket.destroyed) socket.write(hello.subarray(place, place + 1));
        }
        place++;
        await sleep(100);
      }
      // Their time is 20 s.
      const open = sockets.filter((socket) => !socket.destroyed).length;
      return attacker.isShort || open === 0 ? [] : [`${open} handshakes of 30 s were not cut`];
    },
  },
  {
    name: 'TLS: handshakes begun and reset, as many as can be',
    isFor,
    flags,
    prepare: findDoor,
    run: (attacker, hello) =>
      attacker.repeat(50, async () => {
        const [socket] = await attacker.openMany(1, (each) => {
          each.write(hello, () => each.resetAndDestroy());
        });
        if (!socket?.destroyed) await new Promise((resolve) => socket?.once('close', resolve));
      }),
  },
  {
    name: 'TLS: connections made and left, as many as can be',
    isFor,
    flags,
    prepare: findDoor,
    run: (attacker) => attacker.repeat(20, () => encrypt(attacker, (socket) => socket.destroy())),
  },
  {
    name: 'TLS: 5,000 large answers on 50 connections of HTTP/2 that are not read',
    isFor,
    flags,
    async prepare(attacker) {
      await attacker.ask('GET', '/openapi.json');
      await findDoor(attacker);
    },
    async run(attacker) {
      const window = 2 ** 31 - 1;
      const head = requestBlock('GET', '/openapi.json');
      const heads = Array.from({ length: 100 }, (_, place) =>
        frame(types.headers, endHeaders | endStream, 2 * place + 1, head),
      );
      const bytes = Buffer.concat([begin(window), openWindow(0, window - 65_535), ...heads]);
      const leave = (/** @type {import('node:tls').TLSSocket} */ socket) => {
        socket.pause();
        socket.write(bytes);
      };
      await Promise.all(Array.from({ length: 50 }, () => encrypt(attacker, leave)));
      await attacker.untilOver();
    },
  },
];

/**
 * Opens a connection with TLS, and resolves when it has been used or has failed.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {(socket: import('node:tls').TLSSocket) => void} use
 */
async function encrypt(attacker, use) {
  /** @type {Promise<void> | undefined} */
  let used;
  await attacker.openMany(1, (raw) => {
    used = new Promise((resolve) => {
      const options = { socket: raw, servername: name, ALPNProtocols: ['h2'] };
      const socket = connect({ ...options, rejectUnauthorized: false }, () => {
        use(socket);
        resolve();
      });
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  });
  await used;
}
