/** A log line per request at level info, with headers and query at debug; no secret is written. */

import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/parse-settings.js';
import type { Secrets } from './area.js';

/** What is secret wherever it is sent; areas have more. */
const common: Secrets = {
  headers: ['authorization', 'proxy-authorization', 'cookie', 'x-service-key'],
  parameters: ['access_token', 'client_secret', 'password', 'token'],
};

/** Writes JSON lines to standard output, or to `destination`, without `secrets`. */
export function createLog(
  level: LogLevel,
  secrets: readonly Secrets[],
  destination?: DestinationStream,
): Logger {
  // Reading what to redact, and opening the output, takes a while that nothing would be gained by.
  if (level === 'silent') return pino({ level }, { write() {} });
  const all = [common, ...secrets];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        ...all.flatMap(({ headers = [] }) => headers.map((name) => `headers["${name}"]`)),
        ...all.flatMap(({ parameters = [] }) => parameters.map((name) => `query["${name}"]`)),
      ],
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Hooks into the application only when lines would be written: a silent service pays nothing. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const isDetailed = log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!path.toLowerCase().startsWith('/health')) {
      log.info(
        {
          requestId: request.id,
          method: request.method,
          path,
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime * 100) / 100,
          ip: request.ip,
          ...(isDetailed && { query: request.query, headers: request.headers }),
        },
        'request',
      );
    }
    done();
  });
}
