import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const standIn = fileURLToPath(new URL('./source-pages.ts', import.meta.url));

/** Replaces the module that reads built pages by a module that reads their sources. */
export function useSourcePages(): Plugin {
  return {
    name: 'use-source-pages',
    enforce: 'pre',
    resolveId(source, importer) {
      return source.endsWith('/page-files.js') && importer !== standIn ? standIn : undefined;
    },
  };
}
