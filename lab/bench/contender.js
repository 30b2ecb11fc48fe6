/** Runs one server of a suite in a separate process, which prints its URL as the service does. */

const [, , suiteName, contender = '', ourUrl = ''] = process.argv;

/** @type {{suite: import('./run-suite.js').Suite}} */
const { suite } = await import(`./suites/${suiteName}.js`);
const start = suite.contenders[contender];
if (typeof start !== 'function') throw new Error(`${suiteName} cannot start ${contender}`);
console.log(`Listening on ${await start(ourUrl)} `);
