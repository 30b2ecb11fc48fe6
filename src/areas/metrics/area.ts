/** Metrics for Prometheus. If a token is configured, only callers with the token can read them. */

import { Type } from 'typebox';
import { lazily } from '#base/lazily.js';
import { setting, valuesIn } from '#config/setting.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import type { Infrastructure, MetricsSources } from '#kit/infrastructure.js';

const settings = {
  /** Bearer token that `/metrics` requires; open to everyone by default. */
  metricsToken: setting<string | undefined>({
    group: 'operation',
    flag: 'metrics-token',
    placeholder: 'token',
    meaning: 'bearer token that /metrics requires (default: open to everyone)',
    default: undefined,
    isSecret: true,
    parse: parseMetricsToken,
  }),
};

export const metricsArea = {
  name: 'metrics',
  title: 'Metrics',
  guide: 'hosting',
  summary: 'Metrics of the service, for Prometheus.',
  front: { start: '/metrics' },
  settings,
  defaults: { isOpen: true },
  endpoints: ({ config, metrics }) =>
    metrics === undefined ? [] : [readMetrics(metrics, valuesIn(config, settings).metricsToken)],
} satisfies Infrastructure;

function readMetrics(sources: MetricsSources, token: string | undefined) {
  // Loaded on the first request, so that it does not delay the start of the service.
  const writer = lazily(async () => (await import('./write-metrics.js')).metricsWriter(sources));
  return endpoint('GET', '/metrics', {
    summary: 'Get metrics in the text format of Prometheus',
    responses: {
      200: { content: { 'text/plain': { schema: Type.String() } } },
      ...failures(401),
    },
    async handle(request, reply) {
      if (token !== undefined) checkToken(request.headers.authorization, token);
      const write = await writer();
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await write());
    },
  });
}

/** Challenges as RFC 6750 says: without a reason if there is no token, with one if the token is wrong. */
function checkToken(authorization: string | undefined, token: string): void {
  const sent = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (sent !== undefined && isSameSecret(sent, token)) return;
  const challenge = 'Bearer realm="metrics"';
  throw new HttpError(401, 'The metrics require the bearer token of this host.', {
    headers: {
      'www-authenticate': sent === undefined ? challenge : `${challenge}, error="invalid_token"`,
    },
  });
}

/** Parses a bearer token of RFC 6750 section 2.1 that is too long to guess. */
function parseMetricsToken(text: string): string {
  if (!/^[\w.~+/-]{16,512}=*$/.test(text)) {
    throw new Error('must be 16 to 512 letters, digits or - . _ ~ + / characters');
  }
  return text;
}
