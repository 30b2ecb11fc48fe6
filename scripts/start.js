/** Starts the service, building it first when a source is newer than the build: `npm start`. */

import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const sources = [
  'src/',
  'pages/',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/',
];
const results = ['dist/main.js', 'dist/pages/'];

if (!isBuilt()) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error('Building the service, its pages and its guides. The next start is immediate.');
  // Imported here, because loading the bundler takes longer than a start.
  const { buildForStart } = await import('./build.js');
  try {
    await buildForStart((part) => console.error(`  built the ${part} after ${seconds()} s`));
    console.error(`Built in ${seconds()} s. Starting the service.`);
  } catch {
    // The compiler or the bundler has said what is wrong.
    process.exit(1);
  }
}
await import(new URL('dist/main.js', root).href);

function isBuilt() {
  const builtAt = Math.min(...results.map((result) => modifiedAt(new URL(result, root))));
  return sources.every((source) => newestUnder(new URL(source, root)) <= builtAt);
}

/** @param {URL} url */
function newestUnder(url) {
  const own = modifiedAt(url);
  if (!url.href.endsWith('/')) return own;
  const inside = readdirSync(fileURLToPath(url), { recursive: true });
  return inside.reduce((newest, name) => {
    return Math.max(newest, modifiedAt(new URL(String(name), url)));
  }, own);
}

/** @param {URL} url Milliseconds since the Unix epoch; 0 for a file that does not exist. */
function modifiedAt(url) {
  return statSync(url, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
