/** Lets clients carry out the plans of the guide about retries, and reads what the judge says. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runRetrying } from './run-retrying.mjs';

/**
 * @typedef {object} GuidePlan
 * @property {string} name Heading of the step in docs/retry-like-a-professional.md
 * @property {readonly object[]} rules
 * @property {readonly {method: string, path: string, key?: string, body?: string}[]} calls
 * @property {true} [isEndless] A client may wait for an hour, so it is ended
 */

/** @typedef {{rule: string, level: string, outcome: string}} RuleVerdict */
/** @typedef {{verdict: {gaveUpAfter: number | null, retried: boolean, succeeded: boolean}}} Series */
/** @typedef {{plan: string, verdicts: readonly RuleVerdict[], series: readonly Series[]}} JudgedPlan */

/** @type {readonly GuidePlan[]} */
export const guidePlans = JSON.parse(
  readFileSync(new URL('retry-plans.json', import.meta.url), 'utf8'),
);

/**
 * Carries out all plans at once, each in a new sandbox; returns the results of each client.
 *
 * @param {string} url Of the service
 * @param {readonly [string, ...string[]]} program
 * @param {readonly string[]} clients of the program
 * @returns {Promise<JudgedPlan[][]>}
 */
export async function carryOutPlans(url, program, clients) {
  const planned = clients.map((client) => {
    const prefix = `plans-${randomUUID()}`;
    return guidePlans.map((plan, index) => ({ ...plan, client, sandbox: `${prefix}-${index}` }));
  });
  await Promise.all(planned.flat().map(({ sandbox, rules }) => putPlan(url, sandbox, rules)));
  const endless = planned.flat().filter(({ isEndless }) => isEndless);
  const others = planned.flat().filter(({ isEndless }) => !isEndless);
  const callsOf = (/** @type {typeof endless} */ some) =>
    some.flatMap(({ client, sandbox, calls }) =>
      calls.map(({ method, path, key = '', body = '' }) => {
        return { client, method, url: url + path, sandbox, key, body };
      }),
    );
  const ending = new AbortController();
  const waiting = runRetrying(program, callsOf(endless), ending.signal).catch(() => {});
  await runRetrying(program, callsOf(others));
  for (const { sandbox } of endless) await firstRequest(url, sandbox);
  // A client that ignores the hour sends its next request within this time.
  await Promise.race([waiting, sleep(3000)]);
  ending.abort();
  const read = async (/** @type {(typeof endless)[number]} */ { name, sandbox }) => {
    return { plan: name, ...(await readLog(url, sandbox)) };
  };
  return Promise.all(planned.map((plans) => Promise.all(plans.map(read))));
}

/**
 * @param {string} url
 * @param {string} sandbox
 * @param {readonly object[]} rules
 */
async function putPlan(url, sandbox, rules) {
  const headers = { 'X-Sandbox': sandbox, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ rules });
  const put = await fetch(`${url}/api/sandbox/faults`, { method: 'PUT', headers, body });
  if (!put.ok) throw new Error(await put.text());
}

/**
 * @param {string} url
 * @param {string} sandbox
 */
async function readLog(url, sandbox) {
  const headers = { 'X-Sandbox': sandbox };
  const response = await fetch(`${url}/api/sandbox/faults/log`, { headers });
  return /** @type {Omit<JudgedPlan, 'plan'>} */ (await response.json());
}

/**
 * @param {string} url
 * @param {string} sandbox
 */
async function firstRequest(url, sandbox) {
  while ((await readLog(url, sandbox)).series.length === 0) await sleep(100);
}
