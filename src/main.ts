#!/usr/bin/env node
import { runProgram } from './run-program.js';

// Nothing waits for it: the native executable is a script, whose top level cannot await.
runProgram();
