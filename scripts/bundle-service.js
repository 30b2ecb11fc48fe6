/**
 * Bundles the service into a few files directly in `dist/`, with the packages that every start needs: loading hundreds
 * of small modules would be most of the start time. Other packages stay in `node_modules`. With `--watch`, bundles
 * again after each change.
 */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';
import { licensesOf } from './single/licenses-of.js';
import { compressed } from './write-group.js';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);

/** Dependencies that every start needs. */
const bundledPackages = ['cborg', 'cookie', 'find-my-way', 'ipaddr.js', 'leven', 'pino', 'typebox'];

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const otherPackages = Object.keys(dependencies).filter((name) => !bundledPackages.includes(name));

/**
 * CommonJS, because Node 20 can keep the compiled code of scripts, but not of modules.
 *
 * @type {import('rolldown').BuildOptions}
 */
const options = {
  cwd: fileURLToPath(root),
  input: [
    'src/program/main.ts',
    'src/index.ts',
    'src/program/health-check.ts',
    'src/program/list-routes.ts',
  ],
  platform: 'node',
  tsconfig: fileURLToPath(new URL('tsconfig.json', root)),
  external: otherPackages.map((name) => new RegExp(`^${name}(?:/|$)`)),
  output: {
    dir: fileURLToPath(dist),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    // Beside the entries: src/base/package/package-files.ts finds the package one level up.
    chunkFileNames: '[name].cjs',
    // Removed again once `writeLines` has read them: they are for stack traces, which need lines only.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // Node keeps the source of loaded modules in memory, comments included.
    comments: { legal: false, annotation: false, jsdoc: false },
  },
  plugins: [
    {
      name: 'in-ascii',
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = inAscii(importByRequire(file.code));
        }
      },
    },
    {
      name: 'licenses',
      writeBundle(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
        writeFileSync(new URL('licenses.txt', dist), `${licensesOf(modules)}\n`);
      },
    },
    {
      name: 'entries-for-import',
      writeBundle(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !file.isEntry || file.name === 'main') continue;
          const names =
            file.exports.length > 0 ? `export { ${file.exports.join(', ')} } from` : 'import';
          writeFileSync(new URL(`${file.name}.js`, dist), `${names} './${file.fileName}';\n`);
        }
      },
    },
  ],
};

/**
 * The entry of the program, which keeps compiled code.
 *
 * @type {import('rolldown').BuildOptions}
 */
const program = {
  cwd: fileURLToPath(root),
  input: { main: 'src/program/run-compiled.ts' },
  platform: 'node',
  output: { dir: fileURLToPath(dist), format: 'esm' },
};

/**
 * Lets `require.import` import packages where it exists: `import()` does not work in code that Node 20 compiled earlier.
 *
 * @param {string} code
 */
function importByRequire(code) {
  const names = otherPackages.join('|');
  return code.replaceAll(
    new RegExp(`\\bimport\\((?="(?:${names})[/"])`, 'g'),
    '(require.import ?? ((name) => import(name)))(',
  );
}

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

/** Copies what the service reads at run time; the recorded calls are compressed. */
function copyFiles() {
  mkdirSync(dist, { recursive: true });
  const calls = 'recorded-calls.json';
  writeFileSync(
    new URL(`${calls}.br`, dist),
    compressed(readFileSync(new URL(`data/${calls}`, root))),
  );
  for (const name of readdirSync(scripts)) {
    if (name.endsWith('.lua')) copyFileSync(new URL(name, scripts), new URL(name, dist));
  }
}

export async function bundleService() {
  await build(options);
  await build(program);
  writeLines();
  copyFiles();
}

/**
 * Writes which lines of the sources the lines of each bundled file come from, for `src/program/map-stack-traces.ts`:
 * the sources, and runs of consecutive lines as [line of the bundle, source, line of the source], each as the difference
 * from the run before. A tenth of a map.
 */
function writeLines() {
  for (const name of readdirSync(dist)) {
    if (!name.endsWith('.cjs.map')) continue;
    const file = new URL(name, dist);
    const map = JSON.parse(readFileSync(file, 'utf8'));
    const text = readFileSync(new URL(name.slice(0, -'.map'.length), dist), 'utf8');
    const lines = linesOf(text, new SourceMap(map), map.sources);
    writeFileSync(
      new URL(`${name.slice(0, -'.map'.length)}.lines.json`, dist),
      JSON.stringify(lines),
    );
    rmSync(file);
  }
}

/**
 * @param {string} text
 * @param {SourceMap} map
 * @param {readonly string[]} sources
 */
function linesOf(text, map, sources) {
  /** @type {[line: number, source: number, sourceLine: number][]} */
  const runs = [];
  for (const [index, line] of text.split('\n').entries()) {
    const entry = map.findEntry(index, line.search(/\S|$/));
    if (!('originalSource' in entry) || entry.generatedLine !== index) continue;
    const source = sources.indexOf(entry.originalSource);
    const [from, last, sourceFrom] = runs.at(-1) ?? [0, -1, 0];
    const isNext = source === last && entry.originalLine - sourceFrom === index - from;
    if (!isNext) runs.push([index, source, entry.originalLine]);
  }
  const steps = runs.map((run, index) =>
    run.map((value, at) => value - (runs[index - 1]?.[at] ?? 0)),
  );
  return { sources, steps };
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--watch')) {
  // Prebuilt texts would be outdated once sources change; without them, the service generates its own.
  rmSync(new URL('texts/', dist), { recursive: true, force: true });
  copyFiles();
  watch(options).on('event', (event) => {
    if (event.code === 'ERROR') console.error(event.error);
    if ('result' in event) event.result?.close();
  });
}
