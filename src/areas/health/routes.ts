/** For load balancers and container platforms: whether the process lives, and whether it can serve. */

import { Type } from 'typebox';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Area, Services } from '../../kit/area.js';

const healthSchema = Type.Object({ status: Type.Literal('ok') });

const livesSchema = {
  summary: 'Check that the process lives',
  description: 'For liveness probes: responds as long as the process runs.',
  response: { 200: healthSchema },
};

const readySchema = {
  summary: 'Check that requests can be served',
  description:
    'For readiness probes: 503 while the state cannot be reached, and from the moment a stop begins.',
  response: { 200: healthSchema, 503: errorSchema },
};

const ok = { status: 'ok' } as const;

export const healthArea: Area = {
  name: 'health',
  title: 'Health',
  guide: 'hosting',
  front: {
    start: '/health',
  },
  summary: 'Whether the service lives (/health) and is ready to serve (/health/ready).',
  addRoutes(app, services) {
    app.get('/health', { schema: livesSchema }, async () => ok);
    app.get('/health/ready', { schema: readySchema }, async () => respondReady(services));
  },
};

async function respondReady({ isReady }: Services) {
  if (await isReady()) return ok;
  const message = 'The service is stopping, or its state cannot be reached now.';
  throw new HttpError(503, message, { headers: { 'retry-after': '1' } });
}
