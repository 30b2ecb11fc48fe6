/**
 * Bundles the service into a few files directly in `dist/`, including the parts of TypeBox that it
 * uses: loading hundreds of small modules would be most of the start time. Other packages stay in
 * `node_modules`. With `--watch`, bundles again after each change.
 */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);

/** The package whose many small modules would slow down the start. */
const bundledPackage = 'typebox';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const otherPackages = Object.keys(dependencies).filter((name) => name !== bundledPackage);

/** @type {import('rolldown').BuildOptions} */
const options = {
  cwd: fileURLToPath(root),
  input: ['src/main.ts', 'src/index.ts', 'src/health-check.ts'],
  platform: 'node',
  external: otherPackages.map((name) => new RegExp(`^${name}(?:/|$)`)),
  output: {
    dir: fileURLToPath(dist),
    format: 'esm',
    // Beside the entries: src/base/package/package-files.ts finds the package one level up.
    chunkFileNames: '[name].js',
    sourcemap: true,
    // Maps are only for stack traces, which need positions, not sources.
    sourcemapExcludeSources: true,
    // Node keeps the source of loaded modules in memory, comments included.
    comments: { legal: true, annotation: false, jsdoc: false },
  },
  plugins: [
    {
      name: 'in-ascii',
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = inAscii(file.code);
        }
      },
    },
  ],
};

/**
 * Escapes characters beyond ASCII: with a single one, Node stores the whole file with two bytes per character.
 *
 * @param {string} code
 */
export function inAscii(code) {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The folder of the Lua scripts, which are read at run time beside the module that uses them. */
const scripts = new URL('src/state/redis/', root);

function copyScripts() {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(scripts)) {
    if (name.endsWith('.lua')) copyFileSync(new URL(name, scripts), new URL(name, dist));
  }
}

export async function bundleService() {
  await build(options);
  copyScripts();
  const license = new URL('../license', import.meta.resolve(bundledPackage));
  copyFileSync(license, new URL(`${bundledPackage}.license`, dist));
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--watch')) {
  // Prebuilt texts would be outdated once sources change; without them, the service generates its own.
  rmSync(new URL('texts/', dist), { recursive: true, force: true });
  copyScripts();
  watch(options).on('event', (event) => {
    if (event.code === 'ERROR') console.error(event.error);
    if ('result' in event) event.result?.close();
  });
}
