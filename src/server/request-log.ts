/** A log line per request at level info, with headers and query at debug; no secret is written. */

import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/parse-settings.js';

const secretHeaders = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-csrf-token',
  'x-service-key',
  'x-signature',
  'x-signing-secret',
];
const secretParameters = ['access_token', 'api_key', 'client_secret', 'password', 'token'];

/** Writes JSON lines to standard output, or to `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  // Reading what to redact, and opening the output, takes a while that nothing would be gained by.
  if (level === 'silent') return pino({ level }, { write() {} });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        ...secretHeaders.map((name) => `headers["${name}"]`),
        ...secretParameters.map((name) => `query["${name}"]`),
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
