/**
 * Bundles the browser pages, a folder each in `pages/`, into `dist/pages/`: `<page>/index.html` and
 * `assets/` with the hash of its content in every name. `--watch` goes on doing so.
 */

import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = new URL('../pages/', import.meta.url);
const service = new URL('../dist/main.js', import.meta.url);
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
  plugins: isWatching ? [restartService()] : [],
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
      // "use client" and its like mean nothing in a bundle for browsers, and a slow machine is no fault.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
    },
  },
});

/** The service keeps pages in memory; node --watch starts it anew when this file is touched. */
function restartService() {
  return {
    name: 'restart-service',
    closeBundle() {
      if (existsSync(service)) utimesSync(service, new Date(), new Date());
    },
  };
}
