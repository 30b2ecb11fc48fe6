/** Runs each test file in its own process, and writes which functions of the service it executes. */

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, UserWorkspaceConfig, ViteUserConfig } from 'vitest/config';
import usual from '../../../vitest.config.js';
import { withMarks } from './functions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files: readonly string[] = JSON.parse(process.env.PRACTICE_REACHED_TESTS ?? '[]');

const marking: Plugin = {
  name: 'mark-functions',
  enforce: 'pre',
  transform(code, id) {
    const file = relative(root, id);
    return /^src\/.*(?<!\.test)\.ts$/.test(file) ? { code: withMarks(file, code) } : undefined;
  },
};

const { projects = [], ...usualTest } = usual.test ?? {};
const memory = (projects as UserWorkspaceConfig[]).find(({ test }) => test?.name === 'memory');
const { plugins = [], test, ...rest } = memory ?? {};

export default {
  ...usual,
  test: {
    ...usualTest,
    // Caches of a process, and its imports, belong to each file that uses them.
    isolate: true,
    cache: false,
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}.cache/marked-modules` },
    reporters: ['default'],
    projects: [
      {
        ...rest,
        plugins: [marking, ...plugins],
        test: {
          ...test,
          include: [...files],
          setupFiles: [...[test?.setupFiles ?? []].flat(), './lab/mutants/reached/note-reached.ts'],
        },
      },
    ],
  },
} satisfies ViteUserConfig;
