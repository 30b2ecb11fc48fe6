/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { createAddress, deleteAddress, listAddresses } from './address-endpoints.js';
import { endFaults, planFaults, readFaultLog, readFaults } from './fault-endpoints.js';
import { listRequests, setRecording } from './request-endpoints.js';
import { describeSandbox, readClock, resetSandbox, setClock } from './sandbox-endpoints.js';

export { faultPlanner } from './fault-endpoints.js';
export { retryJudge } from './retry-judge.js';

export function endpoints({ runtime, limits, sandboxes }: Services): readonly Endpoint[] {
  const { config, clock } = runtime;
  const { accounts, held } = limits;
  return [
    setClock,
    readClock,
    describeSandbox(sandboxes.sandboxLimits),
    resetSandbox,
    createAddress(config, accounts),
    listAddresses(config, accounts),
    deleteAddress(config, accounts),
    planFaults(clock),
    readFaults,
    readFaultLog(held),
    endFaults,
    setRecording,
    listRequests,
  ];
}
