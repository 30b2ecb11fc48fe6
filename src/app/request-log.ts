/**
 * A log line per request at level info, with some headers and query parameters at debug. Only what is known
 * to be harmless is written: a list of secrets would lack the next one. The route stands for the path, in
 * which names, passwords and the ids of bins are sent; bodies are never written.
 */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';

import type { LogLevel } from '../config/parse-settings.js';
import type { Reply, Request } from '../http/exchange.js';

/** What pino writes files and standard output by. */
type SonicBoom = ReturnType<typeof pino.destination>;

const harmlessHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'range',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-api-version',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

const harmlessParameters = [
  'api-version',
  'delay',
  'error',
  'format',
  'limit',
  'offset',
  'order',
  'page',
  'per_page',
  'size',
  'sort',
  'status',
  'wait',
];

/** Writes JSON lines to standard output, or to `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  // Opening the output takes a while that nothing would be gained by.
  if (level === 'silent') return pino({ level }, { write() {} });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? openStandardOutput());
}

const standardOutput = 1;

/** What waits for a reader of the log that has fallen behind; lines beyond are dropped. */
const maxWaitingBytes = 2 ** 24;

export function openStandardOutput(): SonicBoom {
  return pino.destination({ dest: standardOutput, maxLength: maxWaitingBytes });
}

/** How long a reader of the log that has fallen behind may keep the process. */
const maxEndMs = 1000;

/**
 * Resolves once all lines are written: a process that ends before that writes the line that is under way
 * after those that wait for it. What nobody reads in time is given up.
 */
export async function endOutput(output: SonicBoom): Promise<void> {
  const ended = once(output, 'close').then(() => true);
  output.end();
  const isWritten = await Promise.race([ended, sleep(maxEndMs, false)]);
  // The end of the process would wait for it.
  if (!isWritten) output.destroy();
}

/** Makes the function that has a line written once a response is sent; none where no lines would be written. */
export function requestLogger(log: Logger): ((request: Request, reply: Reply) => void) | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const isDetailed = log.isLevelEnabled('debug');
  return (request, reply) => {
    if (request.url.toLowerCase().startsWith('/health')) return;
    const write = () => log.info(lineOf(request, reply, isDetailed), 'request');
    reply.raw.once('finish', write).once('error', () => {
      reply.raw.off('finish', write);
      write();
    });
  };
}

function lineOf(request: Request, reply: Reply, isDetailed: boolean): object {
  const durationMs = performance.now() - reply.startedAtMs;
  return {
    requestId: request.id,
    method: request.method,
    route: request.route?.path,
    status: reply.statusCode,
    durationMs: Math.round(durationMs * 100) / 100,
    ip: request.ip,
    ...(isDetailed && {
      query: pick(request.query as Readonly<Record<string, unknown>>, harmlessParameters),
      headers: pick(request.headers, harmlessHeaders),
    }),
  };
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  const sent = names.filter((name) => Object.hasOwn(from, name));
  return Object.fromEntries(sent.map((name) => [name, from[name]]));
}
