/** The context that areas get, for tests that build an application themselves. */

import { Accounts } from '../../src/accounts/accounts.js';
import type { Config } from '../../src/config/settings.js';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { sandboxReader } from '../../src/http/address/sandbox-name.js';
import { HeldRequests } from '../../src/http/held-requests.js';
import type { Services } from '../../src/kit/area.js';
import { WrongCodes } from '../../src/kit/limits/wrong-codes.js';
import { Replays } from '../../src/kit/replays/replays.js';
import { DueWork } from '../../src/kit/sandbox/due-work.js';
import { Steering } from '../../src/kit/sandbox/steering.js';
import { signingKeyReader } from '../../src/kit/signing-key.js';
import { WebSockets } from '../../src/kit/websocket/web-sockets.js';
import { OwnedSandboxes } from '../../src/state/owned-sandboxes.js';
import { type State, sharedSandboxName } from '../../src/state/state.js';
import { BodiesInFlight } from '../../src/wire/budgets/bodies-in-flight.js';

export async function servicesOver(state: State, config: Config): Promise<Services> {
  const bodies = new BodiesInFlight(config.bodyBytes);
  return {
    certificates: undefined,
    listeners: () => [],
    config,
    signingKey: signingKeyReader(state),
    clock: Date.now,
    datasets: loadDatasets(),
    accounts: new Accounts(state, config),
    sandboxOf: sandboxReader(state, config),
    sharedSandbox: state.sandbox(sharedSandboxName),
    sandboxLimits: state.limits,
    sandboxHolding: (space, key) => state.sandboxHolding(space, key),
    owned: new OwnedSandboxes(state),
    findPupil: undefined,
    challenges: undefined,
    baseUrlOf: () => '',
    tokenOwner: () => undefined,
    listedCredentials: [],
    reportFailure: () => {},
    isReady: () => true,
    detached: new HeldRequests(config.heldRequests),
    held: new HeldRequests(config.heldRequests),
    bodies,
    webSockets: new WebSockets(config.webSockets, bodies, () => {}),
    wrongCodes: new WrongCodes(state),
    steering: new Steering(),
    dueWork: new DueWork(),
    replays: new Replays(),
    observers: [],
    judgeDelivery: () => undefined,
    writeLog: () => {},
    onClose: () => {},
  };
}
