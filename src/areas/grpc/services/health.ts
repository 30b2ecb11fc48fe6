/** The health protocol: of the service, and of each of its services by name. */

import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '../generated/grpc/health/v1/health_pb.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { serve } from '../model/method.js';

const checkMs = 1000;

/** Makes the service, which knows these names. */
export const healthOf = (names: () => readonly string[]) => {
  async function statusOf(service: string, { parts }: Call) {
    if (service !== '' && !names().includes(service)) return Status.SERVICE_UNKNOWN;
    return (await parts.isReady()) ? Status.SERVING : Status.NOT_SERVING;
  }
  return serve(Health, {
    async check({ service }, call) {
      const status = await statusOf(service, call);
      if (status !== Status.SERVICE_UNKNOWN) return { status };
      throw new RpcError('NOT_FOUND', 'There is no service of this name.');
    },
    /** Sends the status at once, and each later change. */
    async *watch({ service }, call) {
      let sent: Status | undefined;
      while (call.failure === undefined) {
        const status = await statusOf(service, call);
        if (status !== sent) yield { status };
        sent = status;
        await call.pause(checkMs);
      }
    },
  });
};
