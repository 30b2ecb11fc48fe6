/** The program: its command decides which part runs. */

const [command, ...others] = process.argv.slice(2);

// Nothing waits for it: a script cannot await at its top level.
if (command === 'mcp') import('./run-stdio.js').then(({ runStdio }) => runStdio(others));
else if (command === 'listen') import('./run-listen.js').then(({ runListen }) => runListen(others));
else import('./run-program.js').then(({ runProgram }) => runProgram());
