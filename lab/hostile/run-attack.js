/** Runs one attack on a separate service: starts both, watches, and judges. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '../../scripts/start-proxy.js';
import { isHealthy } from '../harness/call.js';
import { fetchGauges, settledGauges } from '../harness/gauges.js';
import { resetPeak, scheduleOf } from '../harness/process-figures.js';
import { referenceMs } from '../harness/reference-work.js';
import { followHealth, healthReporter, startService } from '../harness/start-program.js';
import { hasRedis, startRedis } from '../harness/start-redis.js';
import { median } from '../harness/statistics.js';
import { judgeAttack } from './judge-attack.js';

const heapMebibytes = 512;
/** Above this the process is killed, as in a container of this size. */
const containerMebibytes = 1024;
const idleMs = 500;
const sampleMs = 25;
const keptOutputBytes = 50_000_000;

/** @typedef {import('./attacker.js').Mode} Mode */

/** @type {readonly Mode[]} */
export const modes = [
  { isProxied: false, hasAccounts: false, isShared: false },
  { isProxied: true, hasAccounts: false, isShared: false },
  { isProxied: false, hasAccounts: true, isShared: false },
  { isProxied: true, hasAccounts: true, isShared: false },
  { isProxied: false, hasAccounts: false, isShared: true },
];

/** @param {Mode} mode */
export function describeMode({ isProxied, hasAccounts, isShared }) {
  const parts = [isProxied ? 'proxied' : 'direct', hasAccounts ? 'accounts' : 'open'];
  return [...parts, ...(isShared ? ['Redis'] : [])].join(', ');
}

/** Returns whether the programs of a mode are installed. */
export function canRun(/** @type {Mode} */ mode, /** @type {string | undefined} */ haproxy) {
  return (haproxy !== undefined || !mode.isProxied) && (hasRedis || !mode.isShared);
}

/**
 * Assigns modes to attacks: all modes of each, or, in a short run, one of them, in turn, so that
 * every mode occurs.
 *
 * @param {readonly import('./attacker.js').Attack[]} attacks
 * @param {{isShort: boolean, isPossible: (mode: Mode) => boolean}} options
 */
export function planAttacks(attacks, { isShort, isPossible }) {
  return attacks.flatMap((attack, index) => {
    const possible = modes.filter((mode) => isPossible(mode) && (attack.isFor?.(mode) ?? true));
    const start = index % Math.max(1, possible.length);
    const chosen = isShort ? possible.slice(start, start + 1) : possible;
    return chosen.map((mode) => ({ attack, mode }));
  });
}

/**
 * @param {import('./attacker.js').Attack} attack
 * @param {Mode} mode
 * @param {object} options
 * @param {string} options.program The file of the service
 * @param {string | undefined} options.haproxy HAProxy's command; needed for the modes with a proxy
 * @param {number} options.seconds
 * @param {boolean} options.isShort
 * @param {boolean} [options.hasStateFile] Whether the state without Redis is in a file, too
 * @param {boolean} options.isTimed Whether slow responses count, and blocks strictly, which needs an otherwise idle machine
 * @returns {Promise<import('./judge-attack.js').Verdict>}
 */
export async function runAttack(attack, mode, options) {
  const { program, haproxy, isShort, isTimed } = options;
  let output = '';
  const redis = mode.isShared ? await startRedis() : undefined;
  const folder =
    options.hasStateFile && !redis
      ? mkdtempSync(join(tmpdir(), 'practice-api-hostile-'))
      : undefined;
  const flags = [
    ...(mode.hasAccounts ? ['--accounts', 'required'] : []),
    ...(mode.isProxied ? ['--trust-proxy', '127.0.0.1'] : []),
    ...(redis ? ['--state-url', redis.url] : []),
    ...(folder ? ['--state-file', join(folder, 'state.practice')] : []),
    ...(attack.flags ?? []),
  ];
  const service = await startService(flags, {
    program,
    nodeFlags: [`--max-old-space-size=${heapMebibytes}`],
    preload: healthReporter,
    onOutput: (text) => {
      if (output.length < keptOutputBytes) output += text;
    },
  });
  // Preparations count as well, because they are requests, too.
  let longestBlockMs = 0;
  followHealth(service, (health) => {
    longestBlockMs = Math.max(longestBlockMs, health.longestBlockMs);
  });
  if (mode.isProxied && haproxy === undefined) throw new Error('HAProxy is not installed.');
  const proxy = mode.isProxied ? await startProxy(String(haproxy), [service.url]) : undefined;
  // The proxy notices the service only with its next check.
  while (proxy && !(await isHealthy(proxy.url))) await sleep(50);

  const seconds = isShort ? options.seconds : (attack.seconds ?? options.seconds);
  const { url } = proxy ?? service;
  const circumstances = { url, mode, pid: service.pid, seconds, isShort };
  const script = new URL('attack-process.js', import.meta.url);
  const attacker = fork(script, [attack.name, JSON.stringify(circumstances)]);
  const watcher = fork(new URL('watch-health.js', import.meta.url), [service.url]);
  let peakMebibytes = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let sampling;
  try {
    // The service may go down while the attacker prepares.
    await Promise.race([messageOf(attacker), endOf(attacker)]);
    await messageOf(watcher);
    await sleep(idleMs);
    const idle = await fetchGauges(service.url, mode.isProxied);
    const idleMebibytes = service.residentMebibytes();
    resetPeak(service.pid);
    peakMebibytes = idleMebibytes;
    sampling = setInterval(() => {
      peakMebibytes = Math.max(peakMebibytes, service.peakMebibytes() || 0);
      if (peakMebibytes > containerMebibytes) service.stop('SIGKILL');
    }, sampleMs);

    const before = scheduleOf(service.pid);
    const report = messageOf(attacker);
    if (attacker.connected) attacker.send('go');
    const references = [1, 2].map(referenceMs);
    const { complaints } = (await Promise.race([report, endOf(attacker)])) ?? {
      complaints: service.isUp() ? [`the attacker ended early: ${exitOf(attacker)}`] : [],
    };
    const times = messageOf(watcher);
    watcher.send('stop');
    const healthMs = await times;
    const after = scheduleOf(service.pid);
    references.push(...[3, 4, 5].map(referenceMs));
    const ranMs = after.ranMs - before.ranMs;
    const waitedMs = after.waitedMs - before.waitedMs;
    const { isProxied } = mode;
    const settleSeconds = isProxied ? attack.proxiedSettleSeconds : undefined;
    const left = await settledGauges(service, idle, {
      isProxied,
      pids: [service.pid, ...(proxy?.pid === undefined ? [] : [proxy.pid])],
      ...(settleSeconds !== undefined && { seconds: settleSeconds }),
    });
    const observation = {
      isUp: service.isUp(),
      healthMs,
      longestBlockMs,
      referenceMs: median(references),
      processorShare: ranMs / (ranMs + waitedMs) || 1,
      idleMebibytes,
      peakMebibytes,
      idle,
      left,
      settleSeconds,
      complaints: [...complaints, ...(attack.judgeOutput?.(output) ?? [])],
    };
    return judgeAttack(observation, isTimed);
  } finally {
    clearInterval(sampling);
    attacker.kill('SIGKILL');
    watcher.kill('SIGKILL');
    await proxy?.stop();
    await service.stop('SIGKILL');
    await redis?.stop('SIGKILL');
    if (folder) rmSync(folder, { recursive: true });
  }
}

/** @param {import('node:child_process').ChildProcess} child */
const exitOf = ({ exitCode, signalCode }) => signalCode ?? `status ${exitCode}`;

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<any>} */
async function messageOf(child) {
  const [message] = await once(child, 'message');
  return message;
}

/**
 * Waits until nothing more arrives: the process may be gone before its last message is read.
 *
 * @param {import('node:child_process').ChildProcess} child @returns {Promise<undefined>}
 */
async function endOf(child) {
  if (child.connected) await once(child, 'disconnect');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return undefined;
}
