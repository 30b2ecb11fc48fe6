// Serves data files by json-server itself, each on a separate port, which it prints. Arguments: the
// folder where json-server is installed, and its version, 0 or 1.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, version] = process.argv.slice(2);

const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit(0));
const files = JSON.parse(await new Promise((resolve) => lines.once('line', resolve)));

const ports = [];
for (const file of files) {
  const app = version === '1' ? await newApp(file) : oldApp(file);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  ports.push(server.address().port);
}
console.log(JSON.stringify(ports));

/** @param {any} file */
function oldApp({ data, routes, id, foreignKeySuffix = 'Id', isFake = false }) {
  const require = createRequire(`${folder}/`);
  const jsonServer = /** @type {any} */ (require(String('json-server')));
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false }));
  if (routes !== undefined) app.use(jsonServer.rewriter(routes));
  const router = jsonServer.router(data, { foreignKeySuffix, _isFake: isFake });
  if (id !== undefined) router.db._.id = id;
  app.use(router);
  return app;
}

/** @param {any} file */
async function newApp({ data }) {
  const lib = (/** @type {string} */ path) =>
    import(pathToFileURL(`${folder}/node_modules/${path}`).href);
  const { createApp } = await lib('json-server-1/lib/app.js');
  const { NormalizedAdapter } = await lib('json-server-1/lib/adapters/normalized-adapter.js');
  const { Low } = await import(
    pathToFileURL(createRequire(`${folder}/node_modules/json-server-1/`).resolve('lowdb')).href
  );
  const adapter = new NormalizedAdapter({ read: async () => data, write: async () => {} });
  const db = new Low(adapter, {});
  await db.read();
  return createApp(db, {});
}
