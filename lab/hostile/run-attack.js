/** One attack on a service of its own: starts both, watches, and judges. */

import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '../../scripts/start-proxy.js';
import { startProgram } from '../bench/start-program.js';
import { judgeAttack } from './judge-attack.js';
import { fetchGauges, settledGauges } from './settled-gauges.js';
import { startRedis } from './start-redis.js';

const heapMebibytes = 512;
/** Beyond it the process is ended, as a container of this size would do. */
const containerMebibytes = 1024;
const idleMs = 500;
const sampleMs = 25;
const loopMeter = new URL('loop-meter.js', import.meta.url).href;
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

/** Whether the programs that a mode needs are installed. */
export function canRun(/** @type {Mode} */ mode, /** @type {string | undefined} */ haproxy) {
  return (haproxy !== undefined || !mode.isProxied) && (hasRedis() || !mode.isShared);
}

function hasRedis() {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * @param {import('./attacker.js').Attack} attack
 * @param {Mode} mode
 * @param {object} options
 * @param {string} options.program The service's file
 * @param {string | undefined} options.haproxy HAProxy's command; needed for the modes with a proxy
 * @param {number} options.seconds
 * @param {boolean} options.isShort
 * @param {boolean} options.isTimed Whether slow responses and blocks count: where the machine does nothing else
 * @returns {Promise<import('./judge-attack.js').Verdict>}
 */
export async function runAttack(attack, mode, options) {
  const { program, haproxy, seconds, isShort, isTimed } = options;
  let output = '';
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-hostile-'));
  const meterFile = join(folder, 'blocks');
  const redis = mode.isShared ? await startRedis() : undefined;
  const flags = [
    ...(mode.hasAccounts ? ['--accounts', 'required'] : []),
    ...(mode.isProxied ? ['--trust-proxy', '127.0.0.1'] : []),
    ...(redis ? ['--state-url', redis.url] : []),
    ...(attack.flags ?? []),
  ];
  const service = await startProgram(flags, {
    program,
    nodeFlags: [`--max-old-space-size=${heapMebibytes}`, '--import', loopMeter],
    env: { LOOP_METER_FILE: meterFile },
    onOutput: (text) => {
      if (output.length < keptOutputBytes) output += text;
    },
  });
  const killAtExit = () => service.stop('SIGKILL');
  process.once('exit', killAtExit);
  if (mode.isProxied && haproxy === undefined) throw new Error('There is no HAProxy here.');
  const proxy = mode.isProxied ? await startProxy(String(haproxy), [service.url]) : undefined;
  // Readiness is known to the proxy a check later.
  while (proxy && (await statusOf(`${proxy.url}/health`)) !== 200) await sleep(50);

  const attackSeconds = isShort ? seconds : (attack.seconds ?? seconds);
  const circumstances = {
    url: (proxy ?? service).url,
    mode,
    pid: service.pid,
    seconds: attackSeconds,
    isShort,
  };
  const script = new URL('attack-process.js', import.meta.url);
  const attacker = fork(script, [attack.name, JSON.stringify(circumstances)]);
  const watcher = fork(new URL('watch-health.js', import.meta.url), [service.url]);
  let peakMebibytes = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let sampling;
  try {
    // The service may fall already while an attacker prepares.
    await Promise.race([said(attacker), ended(attacker)]);
    await said(watcher);
    await sleep(idleMs);
    const idle = (await fetchGauges(service.url, mode.isProxied)) ?? {};
    const idleMebibytes = service.residentMebibytes();
    resetPeak(service.pid);
    peakMebibytes = idleMebibytes;
    sampling = setInterval(() => {
      peakMebibytes = Math.max(peakMebibytes, peakOf(service.pid));
      if (peakMebibytes > containerMebibytes) service.stop('SIGKILL');
    }, sampleMs);

    const scheduleBefore = scheduleOf(service.pid);
    const report = said(attacker);
    if (attacker.connected) attacker.send('go');
    const { complaints } = (await Promise.race([report, ended(attacker)])) ?? {
      complaints: service.isUp() ? ['the attacker ended early'] : [],
    };
    const times = said(watcher);
    watcher.send('stop');
    const healthMs = await times;
    const processorShare = shareOf(scheduleBefore, scheduleOf(service.pid));
    const settleSeconds = mode.isProxied ? attack.proxiedSettleSeconds : undefined;
    const left = await settledGauges(service, idle, mode.isProxied, settleSeconds);
    const observation = {
      isUp: service.isUp(),
      healthMs,
      longestBlockMs: longestBlock(meterFile),
      processorShare,
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
    process.off('exit', killAtExit);
    service.stop('SIGKILL');
    redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The longest block of the event loop since the start, in ms of processor time. The attacker's preparations count
 * as well: they are requests, too.
 *
 * @param {string} meterFile Written by loop-meter.js
 */
function longestBlock(meterFile) {
  try {
    const lines = readFileSync(meterFile, 'utf8').trim().split('\n');
    return Math.max(0, ...lines.map((line) => Number(line.split(' ')[1])));
  } catch {
    return 0;
  }
}

/** @param {string} url */
async function statusOf(url) {
  try {
    const { status } = await fetch(url, { headers: { connection: 'close' } });
    return status;
  } catch {
    return 0;
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<any>} */
async function said(child) {
  const [message] = await once(child, 'message');
  return message;
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<undefined>} */
async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return undefined;
}

/**
 * From here on the kernel notes the most that is resident anew, which no sample can miss.
 *
 * @param {number} pid
 */
function resetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Samples must do.
  }
}

/** @param {number} pid */
function peakOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * How long the thread that serves has run, and waited for a processor although it had work; Linux only.
 *
 * @param {number} pid
 */
function scheduleOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8');
    const [ran = 0, waited = 0] = text.split(' ').map(Number);
    return { ran, waited };
  } catch {
    return undefined;
  }
}

/**
 * @param {ReturnType<typeof scheduleOf>} before
 * @param {ReturnType<typeof scheduleOf>} after
 */
function shareOf(before, after) {
  if (before === undefined || after === undefined) return 1;
  const ran = after.ran - before.ran;
  return ran / Math.max(1, ran + after.waited - before.waited);
}
