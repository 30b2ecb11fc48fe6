import { createServer } from 'node:net';
import { listenOnLoopback } from './listen-on-loopback.js';

/** A port of the loopback address that nobody listens on. */
export async function freePort() {
  const server = createServer();
  const url = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return Number(new URL(url).port);
}
