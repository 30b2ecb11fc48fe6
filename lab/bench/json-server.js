import { createServer } from 'node:http';
import { importPeer } from '../harness/import-peer.js';
import { listenOnLoopback } from '../harness/listen-on-loopback.js';

/**
 * Starts json-server as its command line with --quiet does, over records that requests may change.
 *
 * @param {object} data
 */
export async function startJsonServer(data) {
  const { default: jsonServer } = await importPeer('json-server');
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.router(structuredClone(data)));
  return listenOnLoopback(createServer(app));
}
