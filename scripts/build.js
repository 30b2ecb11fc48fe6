/** Builds `dist/` from `src/`, `pages/` and `docs/`: `npm run build`. */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { bundleService } from './bundle-service.js';
import { reportParts } from './report-parts.js';
import { usualRedRun } from './tests/red-run.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The record of failed tests belongs to no build. */
const keptName = basename(usualRedRun);

/** Path of the compiler; its package does not export it. */
export const compiler = fileURLToPath(
  new URL('bin/tsc', import.meta.resolve('typescript/package.json')),
);

/**
 * Rejects if a part fails, which has printed the reason. Does nothing where a command that has built runs others, which
 * PRACTICE_BUILT tells them.
 *
 * @param {(part: string) => void} report is called for each part that is done
 */
export async function build(report = () => {}) {
  if (process.env.PRACTICE_BUILT !== undefined) return;
  removeBuild();
  await all([
    bundleService()
      .then(() => report('service'))
      .then(() => run(['scripts/build-routes.js']))
      .then(() => run(['scripts/build-texts.js']))
      .then(() => report('descriptions')),
    run([compiler, '-p', 'tsconfig.build.json'])
      .then(useRelativePaths)
      .then(keepReachableTypes)
      .then(() => report('types')),
    run(['scripts/build-pages.js']).then(() => report('pages')),
    run(['scripts/build-guides.js']).then(() => report('guides')),
  ]);
}

/**
 * Builds what a start needs: without declarations for importers, and without texts that the service makes for the first
 * request for them. Rejects as `build` does.
 *
 * @param {(part: string) => void} report is called for each part that is done
 */
export async function buildForStart(report) {
  removeBuild();
  await all([
    bundleService()
      .then(() => run(['scripts/build-routes.js']))
      .then(() => report('service')),
    run(['scripts/build-pages.js']).then(() => report('pages')),
    run(['scripts/build-guides.js']).then(() => report('guides')),
  ]);
}

function removeBuild() {
  const cache = `${root}.cache`;
  const compiled = existsSync(cache) ? readdirSync(cache).filter((name) => name !== keptName) : [];
  for (const path of [`${root}dist`, ...compiled.map((name) => `${cache}/${name}`)]) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** Importers of the package do not know `#`, which is `src/` here. */
function useRelativePaths() {
  for (const file of readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = readFileSync(`${root}dist/${file}`, 'utf8');
    const home = relative(dirname(file), '.') || '.';
    const changed = text.replaceAll(/(?<=\b(?:from |import\(|import )['"])#/g, `${home}/`);
    if (changed !== text) writeFileSync(`${root}dist/${file}`, changed);
  }
}

/** Removes the types of what importers of the package cannot reach. */
function keepReachableTypes() {
  const reached = new Set(['index.d.ts']);
  for (const file of reached) {
    const text = readFileSync(`${root}dist/${file}`, 'utf8');
    for (const [, path = ''] of text.matchAll(
      /\b(?:from |import\(|import )['"](\.[^'"]*)\.js['"]/g,
    )) {
      reached.add(`${join(dirname(file), path)}.d.ts`);
    }
  }
  for (const file of readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(`${root}dist/${file}`);
  }
}

/** @param {Promise<void>[]} parts */
async function all(parts) {
  const failed = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw new Error('The build failed.');
}

/**
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} failed.`))));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reporting = reportParts(
    'Building dist/: the service, its types, descriptions, pages and guides.',
  );
  try {
    await build(reporting.report);
  } catch {
    process.exit(1);
  }
  reporting.end([`${root}dist/`]);
}
