/** A bare server of grpc-js with the service Add, for `npm run bench -- grpc`. Prints its URL. */

import { fileURLToPath } from 'node:url';
import { importPeer } from '../harness/peers.js';

const { default: grpc } = await importPeer('@grpc/grpc-js');
const { default: loader } = await importPeer('@grpc/proto-loader');

const includeDirs = [fileURLToPath(new URL('../../data/proto', import.meta.url))];
const definition = loader.loadSync('addsvc.proto', { includeDirs, longs: Number });
const { addsvc } = /** @type {any} */ (grpc.loadPackageDefinition(definition));

const methods = {
  Sum: (/** @type {any} */ { request: { a, b } }, /** @type {any} */ done) =>
    done(null, { v: a + b }),
};
const server = new grpc.Server();
server.addService(addsvc.Add.service, methods);
server.bindAsync(
  '127.0.0.1:0',
  grpc.ServerCredentials.createInsecure(),
  (/** @type {any} */ error, /** @type {number} */ port) => {
    if (error) throw error;
    console.log(`Listening on  http://127.0.0.1:${port}`);
  },
);
