#!/usr/bin/env node
import { runProgram } from './run-program.js';
import { runStdio } from './run-stdio.js';

const [command, ...others] = process.argv.slice(2);

// Nothing waits for it: the native executable is a script, whose top level cannot await.
if (command === 'mcp') runStdio(others);
else runProgram();
