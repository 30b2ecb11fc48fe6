/** What the service does, in figures, for Prometheus; kept to those who have the token, if there is one. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { lazily } from '../../base/lazily.js';
import { valuesIn } from '../../config/setting.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Infrastructure } from '../../kit/infrastructure.js';
import { metricsSettings } from './settings.js';

const schema = {
  summary: 'Get metrics in the text format of Prometheus',
  response: {
    200: { content: { 'text/plain': { schema: Type.String() } } },
    401: errorSchema,
  },
};

export const metricsArea = {
  name: 'metrics',
  title: 'Metrics',
  guide: 'hosting',
  front: {
    start: '/metrics',
  },
  summary: 'What the service does, in figures, for Prometheus.',
  settings: metricsSettings,
  defaults: {
    isOpen: true,
  },
  addRoutes(app, { config, metrics }) {
    if (metrics === undefined) return;
    const { metricsToken } = valuesIn(config, metricsSettings);
    // Loaded when first asked for, so that the start of the service does not wait for it.
    const writer = lazily(async () => {
      const { metricsContentType, metricsWriter } = await import('./write-metrics.js');
      return { metricsContentType, write: metricsWriter(metrics) };
    });
    app.get('/metrics', { schema }, async (request, reply) => {
      if (metricsToken !== undefined) checkToken(request.headers.authorization, metricsToken);
      const { metricsContentType, write } = await writer();
      const text = await write();
      return reply.header('content-type', metricsContentType).send(text);
    });
  },
} satisfies Infrastructure;

/** By RFC 6750: a challenge alone for who sends no token, and a reason for who sends a wrong one. */
function checkToken(authorization: string | undefined, token: string): void {
  const sent = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (sent !== undefined && isSame(sent, token)) return;
  const challenge = 'Bearer realm="metrics"';
  throw new HttpError(401, 'The metrics require the bearer token of this host.', {
    headers: {
      'www-authenticate': sent === undefined ? challenge : `${challenge}, error="invalid_token"`,
    },
  });
}

/** Takes the same time wherever the two differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
