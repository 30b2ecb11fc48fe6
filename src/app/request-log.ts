/**
 * Logs one line per request at level info, with some headers and query parameters at debug. Only
 * harmless ones are logged, no bodies, and the route instead of the path, which may contain names,
 * passwords and ids of bins.
 */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from '#base/text/redact.js';
import type { LogLevel } from '#config/parse-settings.js';
import type { Reply, Request } from '#http/exchange.js';
import { harmlessParameters } from '#kit/recording/harmless-names.js';
import { guard } from '#wire/guard.js';

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

/** Writes JSON lines to standard output, or to `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  // Opening the output is slow.
  if (level === 'silent') return pino({ level }, { write() {} });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redact },
  };
  return pino(options, destination ?? openStandardOutput());
}

const standardOutput = 1;

/** Limit of waiting log lines in bytes, if the log's reader is slow; further lines are dropped. */
const maxWaitingBytes = 2 ** 24;

export function openStandardOutput(): SonicBoom {
  return pino.destination({ dest: standardOutput, maxLength: maxWaitingBytes });
}

/** Maximum wait for a slow reader of the log. */
const maxEndMs = 1000;

/**
 * Resolves once all lines are written, or the reader is too slow. A process that ends earlier mixes
 * up lines.
 */
export async function endOutput(output: SonicBoom): Promise<void> {
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
export function requestLogger(log: Logger): ((request: Request, reply: Reply) => void) | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const isDetailed = log.isLevelEnabled('debug');
  return (request, reply) => {
    if (request.url.toLowerCase().startsWith('/health')) return;
    const write = guard(request.raw, () => log.info(lineOf(request, reply, isDetailed), 'request'));
    const writeNow = () => {
      reply.raw.off('finish', write);
      write();
    };
    reply.raw.once('finish', write).once('error', guard(request.raw, writeNow));
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
