/** Health checks for load balancers and container platforms: liveness and readiness. */

import { Type } from 'typebox';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import type { AppContext, Infrastructure } from '#kit/infrastructure.js';

const ok = { status: 'ok' } as const;
const healthSchema = Type.Object({ status: Type.Literal('ok') });

const readHealth = endpoint('GET', '/health', {
  summary: 'Check that the process is alive',
  description: 'For liveness probes: responds as long as the process runs.',
  responses: { 200: healthSchema },
  handle: () => ok,
});

const readReadiness = ({ isReady }: AppContext) =>
  endpoint('GET', '/health/ready', {
    summary: 'Check that the service is ready',
    description:
      'For readiness probes: 503 while the state is unreachable, and as soon as the service is stopping.',
    responses: { 200: healthSchema, ...failures(503) },
    async handle() {
      if (await isReady()) return ok;
      const message = 'The service is stopping, or its state is unreachable.';
      throw new HttpError(503, message, { headers: { 'retry-after': '1' } });
    },
  });

export const healthArea: Infrastructure = {
  name: 'health',
  title: 'Health',
  guide: 'hosting',
  summary: 'Whether the service is alive (/health) and ready (/health/ready).',
  front: { start: '/health' },
  endpoints: (context) => [readHealth, readReadiness(context)],
};
