/**
 * Bundles the service into a few files directly in `dist/`, with what it uses of TypeBox among them:
 * loading hundreds of small modules would be most of the start. Other packages stay where npm puts
 * them. `--watch` keeps doing so.
 */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);

/** The one that is published as modules so many and so small that it must not be loaded as it is. */
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
    // Maps are for stack traces, which need places and no texts.
    sourcemapExcludeSources: true,
    // Nobody reads them here, and Node keeps the text of what it runs.
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
 * A single character beyond ASCII makes Node keep a whole file at two bytes a character.
 *
 * @param {string} code
 */
export function inAscii(code) {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** What is read at run time, beside the module that reads it. */
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
  // Texts of the build would stay as they were while sources change; without them the service makes its own.
  rmSync(new URL('texts/', dist), { recursive: true, force: true });
  copyScripts();
  watch(options).on('event', (event) => {
    if (event.code === 'ERROR') console.error(event.error);
    if ('result' in event) event.result?.close();
  });
}
