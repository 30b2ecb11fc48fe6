/**
 * Logs one line per request at level info, with some headers and query parameters at debug. Only
 * harmless ones are logged, no bodies, and the route instead of the path, which may contain names,
 * passwords and ids of bins.
 */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream, pino } from 'pino';
import { lazily } from '../base/lazily.js';
import type { Log } from '../base/log.js';
import { requireLazily } from '../base/require-lazily.js';
import { type LogLevel, logLevels } from '../config/parse-settings.js';
import type { Reply, Request } from '../http/exchange.js';

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

const library = requireLazily<typeof import('pino')>('pino');

interface EndingLog extends Log {
  /**
   * Resolves once all lines are written, or the reader is too slow. A process that ends earlier mixes
   * up lines.
   */
  end(): Promise<void>;
}

/** Writes JSON lines to standard output, or to `destination`. Loads and opens nothing before the first line. */
export function createLog(level: LogLevel, destination?: DestinationStream): EndingLog {
  let output: SonicBoom | undefined;
  const opened = lazily(() => {
    output = destination === undefined ? openStandardOutput() : undefined;
    const options = {
      level,
      base: null,
      timestamp: library().stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    return library().pino(options, destination ?? (output as SonicBoom));
  });
  const isLevelEnabled = (asked: LogLevel) => logLevels.indexOf(asked) <= logLevels.indexOf(level);
  const writer = (of: 'error' | 'warn' | 'info') => {
    const write = (...line: readonly [fields: object, message: string]) => opened()[of](...line);
    return (isLevelEnabled(of) ? write : () => {}) as Log['info'];
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    isLevelEnabled,
    end: async () => output && endOutput(output),
  };
}

const standardOutput = 1;

/** Limit of waiting log lines in bytes, if the log's reader is slow; further lines are dropped. */
const maxWaitingBytes = 2 ** 24;

function openStandardOutput(): SonicBoom {
  return library().destination({ dest: standardOutput, maxLength: maxWaitingBytes });
}

/** Maximum wait for a slow reader of the log. */
const maxEndMs = 1000;

async function endOutput(output: SonicBoom): Promise<void> {
  const ended = once(output, 'close').then(() => true);
  output.end();
  const isWritten = await Promise.race([ended, sleep(maxEndMs, false)]);
  // Otherwise the process would wait for it.
  if (!isWritten) output.destroy();
}

/**
 * Makes the function that logs a request after its response; `undefined` if the level has no such
 * lines.
 */
export function requestLogger(log: Log): ((request: Request, reply: Reply) => void) | undefined {
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
