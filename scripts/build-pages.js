/**
 * Bundles the browser pages, one folder each in `pages/`, into `dist/pages/`: `<page>/index.html`
 * and `assets/` with content hashes in the names. `--watch` repeats this on every change.
 */

import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { fillCommonParts } from './page-parts.js';

const root = new URL('../pages/', import.meta.url);
const licenses = new URL('../dist/pages/licenses.md', import.meta.url);
const service = new URL('../dist/main.cjs', import.meta.url);
const editor = fileURLToPath(import.meta.resolve('graphiql/package.json'));
const isWatching = process.argv.includes('--watch');

/** Assets get the name of their page. */
const input = Object.fromEntries(
  readdirSync(root)
    .map((name) => [name, fileURLToPath(new URL(`${name}/index.html`, root))])
    .filter(([, file = '']) => existsSync(file)),
);

await build({
  root: fileURLToPath(root),
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  // The service may be below any path, so pages load files by relative URLs.
  base: './',
  worker: { format: 'es' },
  resolve: {
    // GraphiQL's own bundle, because its dependencies are not installed.
    alias: [
      { find: /^graphiql$/, replacement: join(dirname(editor), 'dist/index.umd.js') },
      { find: /^#/, replacement: fileURLToPath(new URL('../src/', import.meta.url)) },
    ],
  },
  plugins: [
    shareParts(),
    keepFiles(),
    useOwnFonts(),
    nameLicenses(),
    ...(isWatching ? [restartService()] : []),
  ],
  build: {
    outDir: fileURLToPath(new URL('../dist/pages/', import.meta.url)),
    emptyOutDir: true,
    // Nothing inline, because the Content-Security-Policy allows only files of the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    // The editor is large, but only its own page loads it.
    chunkSizeWarningLimit: 10_000,
    watch: isWatching ? {} : null,
    rolldownOptions: {
      input,
      // A fallback of the Digest client for environments without fetch.
      external: ['node-fetch'],
      // "use client" and similar directives have no meaning in a bundle for browsers, nor does eval
      // of the hash library in Node; and a slow machine is not a fault.
      checks: { moduleLevelDirective: false, bundlerTimings: false, eval: false },
    },
  },
});

/** Fills the common parts of all pages. */
function shareParts() {
  return {
    name: 'share-parts',
    transformIndexHtml: {
      order: /** @type {const} */ ('pre'),
      /**
       * @param {string} html
       * @param {{ path: string }} page
       */
      handler(html, { path }) {
        const [, name = ''] = path.split('/');
        return fillCommonParts(html, name);
      },
    },
  };
}

/** Copies files whose names must not change. */
function keepFiles() {
  return {
    name: 'keep-files',
    /** @this {import('vite').Rollup.PluginContext} */
    generateBundle() {
      const fileName = 'favicon.ico';
      this.emitFile({ type: 'asset', fileName, source: readFileSync(new URL(fileName, root)) });
    },
  };
}

/**
 * Removes the fonts of GraphiQL's style sheet, which are most of its size; the page uses the
 * reader's fonts.
 */
function useOwnFonts() {
  return {
    name: 'use-own-fonts',
    enforce: /** @type {const} */ ('pre'),
    transform: {
      filter: { id: /graphiql\/dist\/style\.css$/ },
      /** @param {string} css */
      handler: (css) => css.replaceAll(/@font-face\s*\{[^}]*\}/g, ''),
    },
  };
}

/** Adds the licenses of the dependencies of prebuilt bundles, each with its page. */
function nameLicenses() {
  /** @type {readonly (readonly [page: string, title: string, file: URL])[]} */
  const notices = [['ide', 'What GraphiQL is made of', new URL('ide/graphiql-licenses.txt', root)]];
  return {
    name: 'name-licenses',
    writeBundle() {
      for (const [page, title, file] of notices) {
        if (!(page in input)) continue;
        appendFileSync(licenses, `\n# ${title}\n\n${readFileSync(file, 'utf8').trim()}\n`);
      }
    },
  };
}

/** The service caches pages in memory; touching this file makes node --watch restart it. */
function restartService() {
  return {
    name: 'restart-service',
    closeBundle() {
      if (existsSync(service)) utimesSync(service, new Date(), new Date());
    },
  };
}
