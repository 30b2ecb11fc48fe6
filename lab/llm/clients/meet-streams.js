/**
 * Lets a user of an SDK meet the cases of a run. Arguments: the name of the user, the folder of its
 * packages, and the URL of the run. Reads the steps, with the nature of each, from stdin. Needs
 * --experimental-import-meta-resolve. With PRACTICE_VERBOSE, it writes the errors of the SDK.
 */

import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { users } from './naive-users.js';

const [name = '', folder = '', location = ''] = process.argv.slice(2);
const from = pathToFileURL(`${folder}/package.json`).href;
/** @type {any} */ (globalThis).AI_SDK_LOG_WARNINGS = false;
// Errors that an SDK throws beside its promises are part of what it does.
process.on('unhandledRejection', () => {});

/** Time for a case, after which the user waits in silence. */
const limitMs = 9000;
/** Cases at the same time. */
const width = 20;

const begin = await /** @type {any} */ (users)[name](
  (/** @type {string} */ wanted) => import(import.meta.resolve(wanted, from)),
);
const steps = JSON.parse(await text(process.stdin));
const waiting = [...steps];
await Promise.all(Array.from({ length: width }, work));
await endPatience();
process.exit(0);

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    await Promise.race([meet(step), pause(limitMs)]);
  }
}

/**
 * @param {string} each
 * @param {unknown} error
 */
function report(each, error) {
  if (process.env.PRACTICE_VERBOSE) console.error(each, error);
}

/** @param {any} step */
async function meet({ case: each, nature, result, hasTool, ...urls }) {
  const prompt = hasTool ? 'Call get_weather.' : 'count to 5';
  let next;
  try {
    next = await begin({ prompt, hasTool, result, ...urls });
  } catch (error) {
    report(each, error);
    // Errors are right, unless the stream is.
    const outcome = nature === 'odd' ? 'mishandled' : 'handled';
    await fetch(`${location}/${each}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
    return;
  }
  // Its response is broken, too.
  await next().catch((/** @type {any} */ error) => report(each, error));
}

/** Moves the clock of the sandbox, so that the service judges users who still wait. */
async function endPatience() {
  await fetch(location.replace(/\/llm\/.*$/, '/api/sandbox/clock'), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ offsetSeconds: 20 }),
  });
  await pause(1500);
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
