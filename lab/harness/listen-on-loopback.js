/**
 * Listens on any free port of the loopback address.
 *
 * @param {import('node:net').Server} server
 * @returns {Promise<string>} its address without a slash at the end
 */
export function listenOnLoopback(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}
