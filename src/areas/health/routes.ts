/** For load balancers and container platforms: whether the process lives, and whether it can serve. */

import { Type } from 'typebox';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { HttpError } from '../../server/http-error.js';

const healthSchema = Type.Object({ status: Type.Literal('ok') });

export const healthArea: Area = {
  name: 'health',
  title: 'Health',
  start: '/health',
  summary: 'Whether the service lives (/health) and is ready to serve (/health/ready).',
  addRoutes(app, { isReady }) {
    app.get(
      '/health',
      {
        schema: {
          summary: 'Whether the process lives',
          description: 'For liveness probes: answers as long as the process does.',
          response: { 200: healthSchema },
        },
      },
      async () => ({ status: 'ok' }) as const,
    );

    app.get(
      '/health/ready',
      {
        schema: {
          summary: 'Whether requests can be served now',
          description:
            'For readiness probes: 503 while the state cannot be reached, and from the moment a stop begins.',
          response: { 200: healthSchema, 503: errorSchema },
        },
      },
      async () => {
        if (!(await isReady())) {
          throw new HttpError(503, 'The service is up, but its state cannot be reached yet.', {
            headers: { 'retry-after': '1' },
          });
        }
        return { status: 'ok' } as const;
      },
    );
  },
};
