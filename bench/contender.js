/** One server of a suite, in a process of its own; started by the harness. */

const [, , suiteName, contender = ''] = process.argv;

/** @type {{suite: import('./harness.js').Suite}} */
const { suite } = await import(new URL(`suites/${suiteName}.js`, import.meta.url).href);
const start = suite.contenders[contender];
if (start === undefined) throw new Error(`${suiteName} has no contender ${contender}`);
const url = await start();
process.send?.(url);
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
