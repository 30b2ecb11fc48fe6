/** One server of a suite, in a process of its own; started by the harness. */

const [, , suiteName, contender = '', ourUrl = ''] = process.argv;

/** @type {{suite: import('./harness.js').Suite}} */
const { suite } = await import(new URL(`suites/${suiteName}.js`, import.meta.url).href);
const start = suite.contenders[contender];
if (typeof start !== 'function') throw new Error(`${suiteName} cannot start ${contender}`);
process.on('disconnect', () => process.exit());
process.send?.(await start(ourUrl));
