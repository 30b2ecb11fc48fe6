/** Helpers for servers that run in a process of the lab. */

import { createServer } from 'node:http';

/**
 * Loads a package of the lab. Its types are not checked: the lab is not always installed.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
export const importPeer = (name) => import(name);

/**
 * Listens on any free port of the loopback address.
 *
 * @param {import('node:net').Server} server
 * @returns {Promise<string>} the URL without a slash at the end
 */
export function listenOnLoopback(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/**
 * Starts json-server like its command line with --quiet, with records that requests may change.
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
