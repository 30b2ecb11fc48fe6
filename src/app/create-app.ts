/** The HTTP application: one router, and the steps that every request passes on its way to an endpoint. */

import type { Logger } from 'pino';
import { lazily } from '../base/lazily.js';
import type { Config } from '../config/settings.js';
import { simulateFaults } from '../faults/wire/simulate-faults.js';
import { sandboxNameOf } from '../http/address/sandbox-name.js';
import { isBelow, queryFault } from '../http/address/target.js';
import { allowStoring } from '../http/caching/caching.js';
import { type Exchanges, Reply, Request } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { requestIdOf } from '../http/request-id.js';
import { endpointsOf } from '../kit/app.js';
import type { Area, FixedHeaders, Services } from '../kit/area.js';
import { checkHost } from '../kit/base-url.js';
import type { Endpoint, Step } from '../kit/endpoint.js';
import { inputSteps } from '../kit/input/read-input.js';
import { trustedProxies } from '../wire/trusted-proxies.js';
import type { RequestListener } from '../wire/wire-service.js';
import {
  errorShapes,
  failureResponder,
  type ShowError,
  unroutableError,
  unroutedStep,
} from './failures.js';
import { accountAddressOpener } from './open-account-address.js';
import { handlingStep, takeSteps } from './pipeline.js';
import { type AreaCounts, noArea, type RequestCounts } from './request-counts.js';
import { requestLogger } from './request-log.js';
import { requireAccount } from './require-account.js';
import { commonHeaders, respondToOptions } from './response-headers.js';
import type { RouteCatalogue } from './route-catalogue.js';
import { type Place, Router, type Unroutable } from './router.js';

interface Parts {
  /** Faults can be simulated on them. */
  readonly areas: readonly Area[];
  /** Pages, health and the like. */
  readonly infrastructure: readonly Area[];
  /** What browsers are shown of unknown paths; everyone gets JSON without it. */
  readonly showError?: ShowError;
  /** Lists all endpoints. */
  readonly catalogue?: RouteCatalogue;
}

/** An endpoint, with all that its requests pass. */
interface Served {
  readonly endpoint?: Endpoint;
  readonly counts: AreaCounts | undefined;
  readonly steps: () => readonly Step[];
}

export async function createApp(
  config: Config,
  { areas, infrastructure, showError, catalogue }: Parts,
  services: Services,
  log: Logger,
  counts?: RequestCounts,
): Promise<RequestListener> {
  const router = new Router<Served>();
  const methodsAt = (target: string) => router.methodsAt(target);
  const shapeError = errorShapes(areas);
  const setHeaders = [commonHeaders(config), fixedHeaders(areas)];
  const entry = [...setHeaders, respondToOptions, checkHostOf, enterSandbox(config, services)];

  async function add(area: Area, isInfrastructure: boolean): Promise<void> {
    const endpoints = await endpointsOf(area, services);
    catalogue?.add(area, endpoints, isInfrastructure);
    const ofArea = lazily(() => areaSteps(area, isInfrastructure, { config, services, methodsAt }));
    const areaCounts = counts?.of(area.name);
    router.add(endpoints, (endpoint) => ({
      endpoint,
      counts: areaCounts,
      // Made by the first request: most test suites use few endpoints.
      steps: lazily(() => [...entry, ...ofArea(), ...endpointSteps(endpoint)]),
    }));
  }
  for (const part of infrastructure) await add(part, true);
  for (const area of areas) await add(area, false);

  const ofNoArea = counts?.of(noArea);
  const unrouted = lazily(() => [...entry, unroutedStep(router, shapeError, showError)]);
  const unroutable = (kind: Unroutable) => [...setHeaders, rejectingStep(unroutableError(kind))];
  const exchanges: Exchanges = {
    bodies: services.bodies,
    sandboxOf: services.sandboxOf,
    baseUrlOf: services.baseUrlOf,
    isTrusted: config.trustProxy === false ? undefined : trustedProxies(config),
    fail: failureResponder(log, shapeError),
  };
  const logRequest = requestLogger(log);

  return (raw, response) => {
    const found = router.find(raw.url ?? '');
    const place = typeof found === 'object' ? found.place : undefined;
    const served = place?.byMethod.get(raw.method ?? '');
    const params = typeof found === 'object' ? found.params : {};
    const request = new Request(raw, requestIdOf(raw), params, served?.endpoint, exchanges);
    const reply = new Reply(response, request);
    counts?.count(reply, (served ?? firstOf(place))?.counts ?? ofNoArea);
    logRequest?.(request, reply);
    const steps = served?.steps() ?? (typeof found === 'string' ? unroutable(found) : unrouted());
    takeSteps(steps, request, reply);
  };
}

function firstOf(place: Place<Served> | undefined): Served | undefined {
  return place?.byMethod.values().next().value;
}

interface AreaContext {
  readonly config: Config;
  readonly services: Services;
  readonly methodsAt: (target: string) => readonly string[] | undefined;
}

/** The steps before each endpoint of an area. */
function areaSteps(area: Area, isInfrastructure: boolean, context: AreaContext): readonly Step[] {
  const { config, services, methodsAt } = context;
  const { caching, isNegotiated, isOpen, isAnyQueryTaken, headers, before } = area.defaults ?? {};
  const needsAccount = config.accounts === 'required' && !isInfrastructure && !isOpen;
  const steps: (Step | false | undefined)[] = [
    headers && fixedHeadersOfPath(headers),
    caching && ((_request, reply) => allowStoring(reply, caching, isNegotiated)),
    // Before anything that a stranger could ask for.
    needsAccount && requireAccount(services.accounts, config),
    (isInfrastructure || !isAnyQueryTaken) && rejectMalformedQuery,
    !isInfrastructure && simulateFaults(area, services, methodsAt),
    before,
  ];
  return steps.filter((step) => step !== false && step !== undefined);
}

function endpointSteps(endpoint: Endpoint): readonly Step[] {
  const { spec } = endpoint;
  const steps = [spec.before, ...inputSteps(spec), spec.beforeHandler, handlingStep(spec.handle)];
  return steps.filter((step) => step !== undefined);
}

/** Sets the headers that areas want below their paths, whether or not there is an endpoint. */
function fixedHeaders(areas: readonly Area[]): Step {
  const fixed = areas.flatMap(({ defaults }) => defaults?.headers ?? []);
  return (request, reply) => setFixedHeaders(fixed, request.url, request, reply);
}

/** The same by the path of the endpoint, since the target may have been written with escapes. */
function fixedHeadersOfPath(headers: readonly FixedHeaders[]): Step {
  return (request, reply) => setFixedHeaders(headers, request.route?.path ?? '', request, reply);
}

function setFixedHeaders(
  fixed: readonly FixedHeaders[],
  path: string,
  request: Request,
  reply: Reply,
): void {
  for (const { below, values } of fixed) {
    if (isBelow(path, below))
      reply.headers(typeof values === 'function' ? values(request) : values);
  }
}

function checkHostOf({ raw }: Request): void {
  checkHost(raw);
}

/** Finds out the sandbox that the address or a header names. */
function enterSandbox(config: Config, { accounts }: Services): Step {
  const openAddress = accountAddressOpener(accounts, config);
  return ({ raw }, reply) => {
    if (raw.sandboxAddress?.secret === undefined) {
      sandboxNameOf(raw);
      return;
    }
    // The URL is a secret: no Referer may carry it to what a page loads.
    reply.header('referrer-policy', 'no-referrer');
    return (async () => {
      await openAddress(raw);
      sandboxNameOf(raw);
    })();
  };
}

/** Before endpoints whose parameters mean something: what they would read is not what was meant. */
function rejectMalformedQuery({ route, url }: Request): void {
  const fault = route?.spec.takesEverything ? undefined : queryFault(url);
  if (fault !== undefined) throw new HttpError(400, fault);
}

function rejectingStep(error: HttpError): Step {
  return () => {
    throw error;
  };
}
