#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// Loading everything makes garbage for which V8 would double its room for young objects again and
// again, and keep it: a tenth of the memory of an idle service. It may grow once there is work.
setFlagsFromString('--semi-space-growth-factor=1');
const { runProgram } = await import('./run-program.js');
await runProgram();
setFlagsFromString('--semi-space-growth-factor=2');
