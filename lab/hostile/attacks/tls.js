/** Connections that cost a TLS handshake, or half of one. */

import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { attacksOf } from '../attacker.js';
import { beginStreams, maxWindow, requestBlock } from '../http2-frames.js';

const name = 'good.localhost';
/** The first record of a server that accepts a handshake. */
const serverHello = '\x16\x03';

/**
 * Directs the attacker to the TLS port, and returns the first bytes of a client there.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
async function useTls(attacker) {
  const { text } = await attacker.ask('GET', '/tls');
  /** @type {{name: string, url: string}[]} */
  const sites = JSON.parse(text);
  const { port } = new URL(sites.find((site) => site.name === 'good')?.url ?? '');
  attacker.url = `https://127.0.0.1:${port}`;
  return firstFlight();
}

/** The first bytes of a client, without a server. */
async function firstFlight() {
  /** @type {Buffer[]} */
  const sent = [];
  const wire = new Duplex({
    read() {},
    write(chunk, _encoding, callback) {
      sent.push(chunk);
      callback();
    },
  });
  const socket = connect({ socket: wire, servername: name, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  while (sent.length === 0) await sleep(5);
  socket.destroy();
  return Buffer.concat(sent);
}

export const tlsAttacks = attacksOf(
  {
    'TLS: 3,000 handshakes that are begun and abandoned': (attacker, hello) =>
      attacker.hold(3000, (socket) => {
        socket.resume();
        socket.write(hello);
      }),
    'TLS: 1,000 handshakes of a byte every 100 ms': {
      seconds: 30,
      async run(attacker, hello) {
        attacker.reach.example(hello);
        const sockets = await attacker.openMany(1000, (socket) => void socket.resume());
        let place = 0;
        do {
          for (const socket of sockets) {
            if (!socket.destroyed) socket.write(hello.subarray(place, place + 1));
          }
          place++;
          await sleep(100);
        } while (!attacker.isOver());
        // A handshake may last 20 s.
        const open = sockets.filter((socket) => !socket.destroyed).length;
        return attacker.isShort || open === 0 ? [] : [`${open} handshakes of 30 s were not cut`];
      },
    },
    'TLS: handshakes begun and reset, as many as can be': (attacker, hello) =>
      attacker.reopen(50, (socket) => {
        socket.write(hello, () => socket.resetAndDestroy());
      }),
    'TLS: handshakes cut after each byte, or continued with noise': (attacker, hello) => {
      attacker.reach.example(hello);
      let place = 0;
      return attacker.reopen(50, (socket) => {
        place = (place + 1) % hello.length;
        const begun = hello.subarray(0, place + 1);
        const cut = [
          () => socket.resetAndDestroy(),
          () => socket.end(),
          () => socket.end(Buffer.alloc(300, place)),
        ][place % 3];
        socket.resume();
        socket.write(begun, cut);
      });
    },
    'TLS: connections opened and abandoned, as many as can be': (attacker) =>
      attacker.repeat(20, () => encrypt(attacker, (socket) => socket.destroy())),
    'TLS: 5,000 large responses on 50 HTTP/2 connections that are not read': {
      async prepare(attacker) {
        await attacker.ask('GET', '/openapi.json');
        await useTls(attacker);
      },
      async run(attacker) {
        const bytes = beginStreams(requestBlock('GET', '/openapi.json'), maxWindow);
        const leave = (/** @type {import('node:tls').TLSSocket} */ socket) => {
          socket.pause();
          socket.write(bytes);
        };
        await Promise.all(Array.from({ length: 50 }, () => encrypt(attacker, leave)));
        await attacker.untilOver();
      },
    },
  },
  {
    flags: ['--tls-port', '0'],
    reaches: serverHello,
    // The proxy terminates TLS, and handshakes are handled before accounts.
    isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
    prepare: useTls,
  },
);

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
        if (socket.alpnProtocol === 'h2') attacker.reach.saw('TLS', serverHello);
        use(socket);
        resolve();
      });
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  });
  await used;
}
