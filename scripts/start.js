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

const parent = process.ppid;
if (!isBuilt()) {
  // Imported here, because loading the bundler takes longer than a start.
  const { reportParts } = await import('./report-parts.js');
  const { report, end } = reportParts(
    'Building the service, its pages and its guides. The next start is immediate.',
  );
  const { buildForStart } = await import('./build.js');
  try {
    await buildForStart(report);
    end([fileURLToPath(new URL('dist/', root))]);
    console.error('Starting the service.');
  } catch {
    // The compiler or the bundler has said what is wrong.
    process.exit(1);
  }
}
// npm was terminated during the build.
if (process.ppid !== parent) process.exit();
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
