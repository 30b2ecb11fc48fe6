/**
 * The HTTP application: one router, and the steps that every request passes on its way to an
 * endpoint.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Config } from '#config/settings.js';
import { defectSteps } from '#defects/defect-steps.js';
import { simulateFaults } from '#faults/wire/simulate-faults.js';
import { isBelow, queryFault } from '#http/address/target.js';
import { DeniedHeaders } from '#http/denied-headers.js';
import { type Exchanges, Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { requestIdOf } from '#http/request-id.js';
import type { Area } from '#kit/area.js';
import type { Endpoint, Step } from '#kit/endpoint.js';
import { inputSteps } from '#kit/input/read-input.js';
import {
  type FixedHeaders,
  findPupilToken,
  fixedHeadersToken,
  type HeaderValues,
  ownPathsToken,
  tutorialHintToken,
} from '#kit/offers/entries.js';
import type { Offers } from '#kit/offers/offers.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import { KnownPaths } from '#kit/recording/known-paths.js';
import type { FindRoute } from '#kit/replays/replays.js';
import { type AreaCounts, noArea, type RequestCounts } from '#kit/request-counts.js';
import type { RouteCatalogue } from '#kit/route-catalogue.js';
import type { Services } from '#kit/services.js';
import { guard } from '#wire/guard.js';
import { trustedProxies } from '#wire/trusted-proxies.js';
import type { RequestListener } from '#wire/wire-service.js';
import {
  type Beginning,
  beginningStep,
  cachingHeaders,
  requireAccount,
  setFixedHeaders,
} from './begin.js';
import {
  errorShapes,
  failureResponder,
  type ShowError,
  unroutableErrors,
  unroutedHandler,
} from './failures.js';
import { LateEndpoints, type ListedRoutes } from './late-endpoints.js';
import { type HandlerChain, runChain } from './pipeline.js';
import { recordExchanges } from './record-exchanges.js';
import { requestLogger } from './request-log.js';
import { Router, type Unroutable } from './router.js';
import { pathSuggester } from './suggestions/suggest-paths.js';

interface Parts {
  /** Areas, on which faults can be simulated. */
  readonly areas: readonly Area[];
  readonly infrastructure: readonly Area[];
  readonly offers: Offers;
  /** Shows browsers a page for what does not exist; without it, all get JSON. */
  readonly showError?: ShowError;
  readonly catalogue?: RouteCatalogue;
  /** The endpoints of areas that are loaded by their first request, by the names of the areas. */
  readonly listed?: ListedRoutes['areas'];
  /** Called once all endpoints are known. */
  readonly onRoutes?: (find: FindRoute) => void;
}

interface Served {
  readonly counts: AreaCounts | undefined;
  readonly makeChain: () => HandlerChain;
  /** Created by the first request, because most test suites use few endpoints. */
  chain: HandlerChain | undefined;
  /** The area, if it is loaded before the chain can be created. */
  readonly late?: LateEndpoints;
}

/** Used by the endpoints of all areas. */
interface Assembly {
  readonly router: Router<Served>;
  readonly begin: Beginning;
  readonly record: Step;
  readonly paths: KnownPaths;
  readonly services: Services;
  readonly counts: RequestCounts | undefined;
}

export async function createApp(
  config: Config,
  parts: Parts,
  services: Services,
  log: Logger,
  counts?: RequestCounts,
): Promise<RequestListener> {
  const { areas, showError, onRoutes } = parts;
  const router = new Router<Served>();
  const fixed = parts.offers.all(fixedHeadersToken);
  const { runtime, limits, sandboxes } = services;
  const findPupil = parts.offers.one(findPupilToken);
  const hints = parts.offers.one(tutorialHintToken);
  const begin: Beginning = { config, accounts: limits.accounts, findPupil, fixed };
  const record = recordExchanges(runtime, sandboxes, parts.offers.all(observerToken));
  const paths = new KnownPaths();
  paths.add(hints?.routes.map((path) => ({ path, spec: {} })) ?? []);
  await addEndpoints(parts, { router, begin, record, paths, services, counts });
  onRoutes?.((method, target) => {
    const found = router.find(target);
    if (typeof found !== 'object') return undefined;
    return found.place.byMethod.has(method) ? found.place.path : undefined;
  });

  const shapeError = errorShapes(areas);
  const suggest = pathSuggester(router, parts.offers.all(ownPathsToken), hints);
  const unrouted: HandlerChain = {
    steps: [beginningStep(begin), record],
    handle: unroutedHandler(router, shapeError, showError, suggest, hints),
  };
  const exchanges: Exchanges = {
    ...sharedBy(services),
    fail: failureResponder(log, shapeError, showError, router, hints),
    showPath: (path) => paths.show(path),
  };
  const logRequest = requestLogger(log);
  return responder(config, {
    ...{ router, exchanges, fixed, counts, logRequest, unrouted },
    unroutable: {
      malformed: rejectingChain(unroutableErrors.malformed, fixed),
      'too long': rejectingChain(unroutableErrors['too long'], fixed),
    },
  });
}

interface Responding {
  readonly router: Router<Served>;
  readonly exchanges: Exchanges;
  readonly fixed: readonly FixedHeaders[];
  readonly counts: RequestCounts | undefined;
  readonly logRequest: ReturnType<typeof requestLogger>;
  readonly unrouted: HandlerChain;
  readonly unroutable: Readonly<Record<Unroutable, HandlerChain>>;
}

/** Makes the function that finds the endpoint of a request, and runs it. */
function responder(config: Config, own: Responding): RequestListener {
  const { router, exchanges, fixed, counts, logRequest, unrouted, unroutable } = own;
  const ofNoArea = counts?.of(noArea);
  const common = commonHeaders(config);
  const respond = (raw: IncomingMessage, response: ServerResponse, failed?: HandlerChain): void => {
    const found = router.find(raw.url ?? '');
    const place = typeof found === 'object' ? found.place : undefined;
    const served = place?.byMethod.get(raw.method ?? '');
    const other = typeof found === 'string' ? unroutable[found] : unrouted;
    if (served?.late?.isLoaded === false && failed === undefined) {
      // A client that has left is neither counted nor served: nothing would see it leave.
      const resume = (chain?: HandlerChain) => response.destroyed || respond(raw, response, chain);
      // Nothing else would catch an error here, which would end the process.
      served.late.load().then(
        guard(raw, () => resume()),
        guard(raw, (error) => resume(rejectingChain(error, fixed))),
      );
      return;
    }
    if (served !== undefined && failed === undefined) served.chain ??= served.makeChain();
    const chain = failed ?? served?.chain ?? other;
    const params = typeof found === 'object' ? found.params : {};
    const request = new Request(raw, requestIdOf(raw), params, chain.route, exchanges);
    const headers = { 'x-request-id': request.id, ...common };
    if (config.tlsPort !== undefined) addDemoHsts(raw.socket, headers);
    const reply = new Reply(response, request, headers);
    counts?.count(reply, (served ?? place?.byMethod.values().next().value)?.counts ?? ofNoArea);
    logRequest?.(request, reply);
    runChain(chain, request, reply);
  };
  return respond;
}

/** Returns what all requests share of the services. */
function sharedBy({ runtime: { config, baseUrlOf }, limits, sandboxes }: Services) {
  return {
    bodies: limits.bodies,
    sandboxOf: sandboxes.sandboxOf,
    baseUrlOf,
    isTrusted: config.trustProxy === false ? undefined : trustedProxies(config),
    deniedHeaders: new DeniedHeaders(config.deniedHeaders),
  };
}

/** Adds the endpoints of the infrastructure, and then of the areas. */
async function addEndpoints(
  { areas, infrastructure, offers, catalogue, listed }: Parts,
  { router, begin, record, paths, services, counts }: Assembly,
): Promise<void> {
  const methodsAt = (target: string) => router.methodsAt(target);
  async function add(area: Area, isInfrastructure: boolean): Promise<void> {
    const make = () => area.endpoints(services, offers.to(area));
    const known = area.isLate ? listed?.[area.name] : undefined;
    const late = known && new LateEndpoints(known, make);
    const endpoints = late?.known ?? (await make());
    catalogue?.add(area, late ? () => late.load() : endpoints, isInfrastructure);
    paths.add(endpoints);
    const ownSteps = isInfrastructure
      ? undefined
      : { record, simulate: simulateFaults(area, services, methodsAt), services };
    router.add(endpoints, (endpoint) => ({
      counts: counts?.of(area.name),
      makeChain: () => chainOf(late?.find(endpoint) ?? endpoint, area, begin, ownSteps),
      chain: undefined,
      ...(late && { late }),
    }));
  }
  for (const part of infrastructure) await add(part, true);
  for (const area of areas) await add(area, false);
}

interface AreaSteps {
  readonly record: Step;
  readonly simulate: Step;
  readonly services: Services;
}

/**
 * Assembles the steps of requests to an endpoint. Without `ownSteps`, it belongs to the
 * infrastructure.
 */
function chainOf(
  { path, isHeadAdded, spec }: Endpoint,
  { defaults = {} }: Area,
  { config, accounts, findPupil, fixed }: Beginning,
  ownSteps: AreaSteps | undefined,
): HandlerChain {
  const { caching, isOpen, queryFaults, before, beforeFaults } = defaults;
  const needsAccount = config.accounts === 'required' && ownSteps !== undefined && !isOpen;
  const isAnyTaken =
    spec.queryFaults === 'none' || (queryFaults === 'lenient' && ownSteps !== undefined);
  const defects =
    ownSteps && defectSteps(path, ownSteps.services.runtime, ownSteps.services.sandboxes);
  const steps: (Step | false | undefined)[] = [
    beginningStep({
      config,
      accounts,
      findPupil,
      fixed: fixed.filter(({ below }) => isBelow(path, below)),
      isRouted: true,
      kept: cachingHeaders(caching),
    }),
    beforeFaults,
    // Before anything that a stranger could request.
    needsAccount && requireAccount(accounts, config),
    ownSteps?.record,
    !isAnyTaken && rejectMalformedQuery,
    defects?.look,
    ownSteps?.simulate,
    defects?.begin,
    before,
    spec.before,
    ...inputSteps(spec),
    defects?.changeInput,
    spec.beforeHandler,
  ];
  return {
    route: { path, isHeadAdded, spec },
    steps: steps.filter((step) => typeof step === 'function'),
    handle: spec.handle,
  };
}

/** Rejects a malformed query of endpoints with parameters, which could be misread. */
function rejectMalformedQuery({ url }: Request): void {
  const fault = url.includes('%') ? queryFault(url) : undefined;
  if (fault !== undefined) throw new HttpError(400, fault);
}

function rejectingChain(error: unknown, fixed: readonly FixedHeaders[]): HandlerChain {
  return {
    steps: [(request, reply) => setFixedHeaders(fixed, request, reply)],
    handle() {
      throw error;
    },
  };
}

/** HSTS for a year, and only for this host (RFC 6797). */
const stayOnHttps = { 'strict-transport-security': 'max-age=31536000' };

/**
 * Headers of every response except its id. CORS is open to every origin (WHATWG Fetch, "HTTP
 * extensions").
 */
function commonHeaders({ baseUrl }: Config): HeaderValues {
  return {
    'access-control-allow-origin': '*',
    // No response has credentials, so the star means all headers (WHATWG Fetch, "CORS protocol").
    'access-control-expose-headers': '*',
    'cache-control': 'no-store',
    ...(baseUrl?.startsWith('https:') && stayOnHttps),
  };
}

/** Only this demo host sends HSTS; elsewhere it would lock users to HTTPS. */
const hstsHost = 'hsts.localhost';

function addDemoHsts(socket: Socket, headers: Record<string, string>): void {
  if ((socket as Partial<TLSSocket>).servername !== hstsHost) return;
  headers['strict-transport-security'] ??= 'max-age=3600';
}
