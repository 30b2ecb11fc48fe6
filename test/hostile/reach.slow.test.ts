/** Whether an attack notices that it attacks nothing, as after a path was renamed. */

import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Attacker, attackOnce } from '../../lab/hostile/attacker.js';
import { attacks } from '../../lab/hostile/attacks/all-attacks.js';
import { held, Reach } from '../../lab/hostile/reach.js';

/** Has no path at all. */
const standIn = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json', connection: 'close' });
  response.end('{"status":404}');
}).on('upgrade', (_request, socket) => {
  socket.on('error', () => {});
  socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
});
standIn.keepAliveTimeout = 100;

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) =>
  new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));

beforeAll(() => listen(standIn));
afterAll(() => {
  standIn.close();
  standIn.closeAllConnections();
});

/** The circumstances that an attack is for. */
const modeOf = ({ isFor = () => true }: (typeof attacks)[number]) =>
  [false, true]
    .map((hasAccounts) => ({ isProxied: false, hasAccounts, isShared: false }))
    .find(isFor) ?? { isProxied: true, hasAccounts: false, isShared: false };

test.each(attacks)(
  'without its target, the attack fails: $name',
  async (attack) => {
    const url = urlOf(standIn);
    const mode = modeOf(attack);
    const attacker = new Attacker({ url, mode, pid: process.pid, seconds: 0.05, isShort: true });
    const complaints = await Promise.resolve()
      .then(() => attack.prepare?.(attacker))
      .then(
        (prepared) => attackOnce(attacker, attack, prepared, 1),
        ({ message }) => [`it could not be prepared: ${message}`],
      );
    attacker.resetAll();
    expect(complaints).not.toEqual([]);
  },
  120_000,
);

describe('a kind of request', () => {
  const reach = () => {
    const made = new Reach();
    made.saw('GET /a/1?b=1', 'HTTP/1.1 404 Not Found\r\n\r\n');
    return made;
  };

  test('must get a sign of its target once', async () => {
    const made = reach();
    expect(await made.complaints('http://127.0.0.1:1', [200, 'ready'])).toEqual([
      'GET /a/# never got 200 or "ready", but ["HTTP/1.1 404"]',
    ]);
    made.saw('GET /a/2', 'HTTP/1.1 200 OK\r\n\r\n');
    expect(await made.complaints('http://127.0.0.1:1', 200)).toEqual([]);
  });

  test('is not another kind', async () => {
    const made = reach();
    made.saw('GET /b', 'HTTP/1.1 200 OK\r\n\r\n');
    expect(await made.complaints('http://127.0.0.1:1', 200)).toHaveLength(1);
  });

  test('must exist', async () => {
    expect(await new Reach().complaints('http://127.0.0.1:1', 200)).toEqual([
      'the attack sent nothing',
    ]);
  });

  test.each([
    ['is held, if nothing arrives', '/wait', []],
    [
      'is not held, if it gets a response',
      '/other',
      ['GET /other never got Symbol(held), but ["HTTP/1.1 404"]'],
    ],
  ])('%s', async (_what, path, expected) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        if (data.includes('GET /wait')) return;
        const status = data.includes('GET /health') ? '200 OK' : '404 Not Found';
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
      });
    });
    await listen(server);
    const made = new Reach();
    made.example(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(await made.complaints(urlOf(server), held)).toEqual(expected);
    server.close();
  });
});
