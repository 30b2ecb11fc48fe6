/** The process: settings, a service, and a graceful stop. */

import { writeSync } from 'node:fs';
import { createLog, endOutput, openStandardOutput } from '#app/request-log.js';
import { packageVersion } from '#base/package/package-files.js';
import { ConfigError, readCommand } from '#config/config.js';
import { helpText } from '#config/help-text.js';
import { programSettings } from '#config/program-settings.js';
import { settingsOf } from '#config/setting.js';
import { areas, settings as serviceSettings, startService } from '#service.js';
import { banner, jsonBanner } from '#site/banner.js';
import { helpOnTopic } from './help-topic.js';
import { mapStackTraces } from './map-stack-traces.js';
import { removeOwnReadyFile, removeReadyFile, writeReadyFile } from './ready-file.js';
import { startFault } from './start-fault.js';

/** Everything that the command line and the environment can set. */
export const settings = settingsOf([{ settings: serviceSettings }, { settings: programSettings }]);

const wrongUsage = 2;

/** Exit status after a bug: EX_SOFTWARE. */
const bug = 70;

/** Exit status of a service that stopped, but could not write its state. */
const unsaved = 1;

const standardError = 2;

/** Runs the program; ends the process with 2 when it cannot be started as asked. */
export async function runProgram(): Promise<void> {
  mapStackTraces();
  endAfterBug();
  try {
    await run();
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : startFault(error);
    if (faults === undefined) throw error;
    for (const fault of faults) console.error(fault);
    process.exit(wrongUsage);
  }
}

/**
 * Ends the process after an error that nothing caught, with one line, so that a supervisor restarts it. The state of the
 * process is unknown; errors of connections end only these (`wire/guard.ts`).
 */
function endAfterBug(): void {
  process.on('uncaughtException', (error, origin) => {
    const { stack } = error instanceof Error ? error : new Error(String(error));
    writeSync(
      standardError,
      `${JSON.stringify({ level: 'fatal', msg: 'ended by a bug', origin, stack })}\n`,
    );
    process.exit(bug);
  });
}

async function run(): Promise<void> {
  const command = readCommand(settings, process.argv.slice(2), process.env);
  if (command.kind === 'help') return showHelp(command.topic);
  if (command.kind === 'version') return console.log(packageVersion);

  const { config } = command;
  const output = config.logLevel === 'silent' ? undefined : openStandardOutput();
  const log = createLog(config.logLevel, output);
  const stopping = new AbortController();
  // Before the start: the first process of a container gets only the signals that it handles.
  stopBySignals(stopping);
  if (config.exitWithStdin) stopWithStdin(stopping);
  if (isStartedByNpm(process.env)) stopWithParent(stopping);
  const { readyFile } = config;
  if (readyFile !== undefined) removeReadyFile(readyFile);
  const service = await startService(config, log, { signal: stopping.signal }).catch((error) => {
    // Told to stop before there was anything to stop.
    if (stopping.signal.aborted) process.exit(0);
    throw error;
  });
  if (readyFile !== undefined) {
    process.once('exit', () => removeOwnReadyFile(readyFile));
    writeReadyFile(readyFile, service);
  }
  console.log(config.json ? jsonBanner(service, config) : banner(areas, service, config, settings));

  const { drainSeconds, stopSeconds } = config;
  const stop = async () => {
    const failure = await service.stop(stopSeconds * 1000, drainSeconds * 1000).catch(messageOf);
    if (output !== undefined) await endOutput(output);
    if (failure !== undefined) console.error(failure);
    process.exit(failure === undefined ? 0 : unsaved);
  };
  if (stopping.signal.aborted) stop();
  else stopping.signal.addEventListener('abort', stop);
}

/** Only the state can fail to stop. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} ${cause.message}.` : message;
}

/** A second signal ends the process at once. */
function stopBySignals(stopping: AbortController): void {
  let isFirst = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!isFirst) process.exit(1);
      isFirst = false;
      stopping.abort();
    });
  }
}

async function showHelp(topic: string | undefined): Promise<void> {
  if (topic === undefined) return console.log(helpText(settings));
  const { text, isKnown } = await helpOnTopic(settings, topic);
  if (isKnown) return console.log(text);
  console.error(text);
  process.exitCode = wrongUsage;
}

const parentCheckMs = 500;

/** npm and npx end their shell when they are terminated, and the shell does not tell its program. */
function isStartedByNpm({ npm_lifecycle_event: event }: NodeJS.ProcessEnv): boolean {
  return event === 'start' || event === 'npx';
}

/** Stops the service once it has another parent, because the first one has ended. */
function stopWithParent(stopping: AbortController): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stopping.abort();
  }, parentCheckMs);
  timer.unref();
}

function stopWithStdin(stopping: AbortController): void {
  const stop = () => stopping.abort();
  process.stdin.once('end', stop).once('close', stop).on('error', stop).resume();
}
