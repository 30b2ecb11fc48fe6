/**
 * Bundles the browser pages, a folder each in `pages/`, into `dist/pages/`: `<page>/index.html` and
 * `assets/` with the hash of its content in every name. `--watch` keeps doing so.
 */

import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = new URL('../pages/', import.meta.url);
const licenses = new URL('../dist/pages/licenses.md', import.meta.url);
const service = new URL('../dist/main.js', import.meta.url);
const editor = fileURLToPath(import.meta.resolve('graphiql/package.json'));
const isWatching = process.argv.includes('--watch');

/** Assets take the name of their page. */
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
  // The service may live below any path: what pages load is found relative to them.
  base: './',
  worker: { format: 'es' },
  resolve: {
    // GraphiQL's own bundle of itself: what it is made of is not installed.
    alias: [{ find: /^graphiql$/, replacement: join(dirname(editor), 'dist/index.umd.js') }],
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
    // Nothing inline: the pages' Content-Security-Policy allows files of the service alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    // An editor is as large as it is; only its own page loads it.
    chunkSizeWarningLimit: 10_000,
    watch: isWatching ? {} : null,
    rolldownOptions: {
      input,
      // What a client of Digest takes where there is no fetch, which browsers have.
      external: ['node-fetch'],
      // "use client" and its like mean nothing in a bundle for browsers, nor does what hashes evaluate in Node; and a
      // slow machine is no fault.
      checks: { moduleLevelDirective: false, bundlerTimings: false, eval: false },
    },
  },
});

/**
 * Puts what all pages have in common where a page says `<site-head>` and `<site-header>`, and marks the page's own link
 * in the header.
 */
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
        const [, name] = path.split('/');
        const head = readPart('site-head.html');
        const header = readPart('site-header.html')
          .replace(`data-page="${name}"`, 'aria-current="page"')
          .replaceAll(/ data-page="\w+"/g, '');
        return html
          .replace('<site-head></site-head>', () => head)
          .replace('<site-header></site-header>', () => header);
      },
    },
  };
}

/** @param {string} file */
function readPart(file) {
  return readFileSync(new URL(file, root), 'utf8').trim();
}

/** Files whose names must stay as they are. */
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

/** GraphiQL's style sheet holds fonts, which are most of what it weighs; the page has those of the reader's system. */
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

/** Adds what ready-made bundles are made of to the licenses of what is bundled here, each with the page it is for. */
function nameLicenses() {
  /** @type {readonly (readonly [page: string, title: string, file: URL])[]} */
  const notices = [
    [
      'docs',
      'What Swagger UI is made of',
      new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt')),
    ],
    ['ide', 'What GraphiQL is made of', new URL('ide/graphiql-licenses.txt', root)],
  ];
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

/** The service keeps pages in memory; node --watch starts it anew when this file is touched. */
function restartService() {
  return {
    name: 'restart-service',
    closeBundle() {
      if (existsSync(service)) utimesSync(service, new Date(), new Date());
    },
  };
}
