#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { packed } from './base/package/packed.js';

/** Exists from Node 22.1 on, and does nothing where it cannot write. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void };

// Keeps compiled code for the next start, which then needs a third less processor time; beside the build,
// because another user of the machine could change it elsewhere.
if (packed === undefined) {
  enableCompileCache?.(
    process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../.cache/', import.meta.url)),
  );
}

const [command, ...others] = process.argv.slice(2);

// Nothing waits for it: the native executable is a script, whose top level cannot await.
if (command === 'mcp') import('./run-stdio.js').then(({ runStdio }) => runStdio(others));
else import('./run-program.js').then(({ runProgram }) => runProgram());
