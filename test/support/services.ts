/** The context that areas get, for tests that build an application themselves. */

import { Accounts } from '../../src/accounts/accounts.js';
import type { Config } from '../../src/config/settings.js';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { sandboxReader } from '../../src/http/address/sandbox-name.js';
import { HeldRequests } from '../../src/http/held-requests.js';
import type { Area } from '../../src/kit/area.js';
import type { Endpoint } from '../../src/kit/endpoint.js';
import { WrongCodes } from '../../src/kit/limits/wrong-codes.js';
import { Offers } from '../../src/kit/offers/offers.js';
import { Replays } from '../../src/kit/replays/replays.js';
import type { Services } from '../../src/kit/services.js';
import { signingKeyReader } from '../../src/kit/signing-key.js';
import { WebSockets } from '../../src/kit/websocket/web-sockets.js';
import { areas } from '../../src/service.js';
import { DueWork } from '../../src/state/due-work.js';
import { createMemoryState } from '../../src/state/memory/memory-state.js';
import { OwnedSandboxes } from '../../src/state/owned-sandboxes.js';
import { type State, sharedSandboxName } from '../../src/state/state.js';
import { BodiesInFlight } from '../../src/wire/budgets/bodies-in-flight.js';

/** Returns every endpoint of every area, as the areas make them. */
export async function endpointsOfAreas(config: Config) {
  const closers: (() => Promise<void> | void)[] = [];
  const usual = await servicesOver(createMemoryState({ clock: Date.now }), config);
  const onClose: Services['runtime']['onClose'] = (close) => void closers.push(close);
  const services = { ...usual, runtime: { ...usual.runtime, onClose } };
  const offers = new Offers(areas, services);
  const found: { readonly area: string; readonly endpoint: Endpoint }[] = [];
  for (const area of areas as readonly Area[]) {
    const endpoints = await area.endpoints(services, offers.to(area));
    found.push(...endpoints.map((endpoint) => ({ area: area.name, endpoint })));
  }
  await Promise.all(closers.map((close) => close()));
  return found;
}

export async function servicesOver(state: State, config: Config): Promise<Services> {
  const bodies = new BodiesInFlight(config.bodyBytes);
  return {
    runtime: {
      config,
      signingKey: signingKeyReader(state),
      clock: Date.now,
      certificates: undefined,
      listeners: () => [],
      baseUrlOf: () => '',
      isReady: () => true,
      reportFailure: () => {},
      writeLog: () => {},
      onClose: () => {},
    },
    limits: {
      accounts: new Accounts(state, config),
      held: new HeldRequests(config.heldRequests),
      detached: new HeldRequests(config.heldRequests),
      bodies,
      webSockets: new WebSockets(config.webSockets, bodies, () => {}),
      wrongCodes: new WrongCodes(state),
    },
    sandboxes: {
      datasets: loadDatasets(),
      sandboxOf: sandboxReader(state, config),
      sharedSandbox: state.sandbox(sharedSandboxName),
      sandboxLimits: state.limits,
      sandboxHolding: (space, key) => state.sandboxHolding(space, key),
      owned: new OwnedSandboxes(state),
      dueWork: new DueWork(),
      replays: new Replays(),
    },
  };
}
