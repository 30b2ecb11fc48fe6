/**
 * Builds `dist-single/`, or the folder that an argument names, from `dist/`: `npm run build:single`. `practice-api.mjs` is
 * the whole service in one file. `practice-api` is the same as a native executable for this platform, with a copy of the Node
 * that runs this script.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build as bundle } from 'rolldown';
import { inAscii } from './bundle-service.js';
import { reportParts } from './report-parts.js';
import { licensesOf } from './single/licenses-of.js';

const root = new URL('../', import.meta.url);
const to = process.argv[2]
  ? new URL(`${pathToFileURL(process.argv[2])}/`)
  : new URL('dist-single/', root);
const isWindows = process.platform === 'win32';
const executable = fileURLToPath(new URL(isWindows ? 'practice-api.exe' : 'practice-api', to));

/** Files and folders of the package that the service reads. */
const packedPaths = ['package.json', 'schema.graphql', 'data/', 'dist/'];
/** Code and types, which are in the bundle; and recorded calls, of which `dist/` has a compressed copy. */
const isElsewhere = /^dist\/(?!pages\/|guides\/).*\.(?:c?js|map|ts)$|^data\/recorded-calls/;

/** The program of postject. */
const injector = fileURLToPath(new URL('cli.js', import.meta.resolve('postject')));

/** The marker by which Node finds a script in its executable. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** @param {string} path A folder's path ends with a slash. */
function filesIn(path) {
  if (!path.endsWith('/')) return [path];
  const names = readdirSync(new URL(path, root), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => `${path}${name.replaceAll('\\', '/')}`)
    .filter((file) => statSync(new URL(file, root)).isFile());
}

/** Packages that are loaded by `requireLazily('name')`. */
function lazyPackages() {
  const sources = filesIn('src/').filter((file) => /(?<!\.test)\.ts$/.test(file));
  const names = sources.flatMap((file) => {
    const source = readFileSync(new URL(file, root), 'utf8');
    return [...source.matchAll(/requireLazily<[^;]+?>\(\s*'([^']+)',?\s*\)/g)].map(
      ([, name]) => name,
    );
  });
  return [...new Set(names)].sort();
}

/** The highest quality needs sixteen times the time, and saves only 5 percent. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Returns the source of the module `src/base/package/packed.ts`, with all packed files. */
function packedSource() {
  const paths = packedPaths.flatMap(filesIn).filter((path) => !isElsewhere.test(path));
  const files = paths.map((path) => {
    const content = brotliCompressSync(readFileSync(new URL(path, root)), { params });
    return `${JSON.stringify(path)}: '${content.toString('base64')}'`;
  });
  const packages = lazyPackages().map((name) => `'${name}': () => require('${name}')`);
  return `export const packed = {
    files: { ${files.sort().join(',\n')} },
    packages: { ${packages.join(',\n')} },
  };`;
}

/**
 * @param {'esm' | 'cjs'} format
 * @param {string} packed
 * @returns {Promise<string>}
 */
async function bundleAs(format, packed) {
  const packedModule = fileURLToPath(new URL('src/base/package/packed.ts', root));
  const { output } = await bundle({
    cwd: fileURLToPath(root),
    input: 'src/program/main.ts',
    platform: 'node',
    write: false,
    output: {
      format,
      codeSplitting: false,
      comments: { legal: false, annotation: false, jsdoc: false },
    },
    plugins: [
      {
        name: 'packed-files',
        load: {
          order: 'pre',
          handler: (id) => (id === packedModule ? { code: packed, moduleType: 'js' } : undefined),
        },
      },
    ],
  });
  const [chunk] = output;
  return `${inAscii(chunk.code)}\n/*\n${licensesOf(chunk.moduleIds)}\n*/\n`;
}

/**
 * Injects a script into a copy of this Node.
 *
 * @param {string} script
 */
function makeExecutable(script) {
  const main = fileURLToPath(new URL('main.cjs', to));
  const config = fileURLToPath(new URL('sea.json', to));
  const blob = fileURLToPath(new URL('sea.blob', to));
  writeFileSync(main, script);
  writeFileSync(
    config,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }),
  );
  // From 25.5 on, Node can do all of this with --build-sea.
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  // An old copy may be running, and a running file cannot be overwritten.
  rmSync(executable, { force: true });
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  const isMac = process.platform === 'darwin';
  if (isMac) execFileSync('codesign', ['--remove-signature', executable]);
  const options = ['--sentinel-fuse', fuse, ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : [])];
  const arguments_ = [injector, executable, 'NODE_SEA_BLOB', blob, ...options];
  execFileSync(process.execPath, arguments_, { stdio: 'pipe' });
  if (isMac) execFileSync('codesign', ['--sign', '-', executable]);
  for (const file of [main, config, blob]) rmSync(file);
}

async function buildSingle() {
  const { report, end } = reportParts('Building a single file, and an executable from it.');
  mkdirSync(to, { recursive: true });
  const packed = packedSource();
  const script = await bundleAs('esm', packed);
  const file = fileURLToPath(new URL('practice-api.mjs', to));
  writeFileSync(file, script);
  report('file');
  makeExecutable(await bundleAs('cjs', packed));
  report('executable');
  end([file, executable]);
}

await buildSingle();
