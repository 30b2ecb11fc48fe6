/** Lists the parts of the service, and starts and stops it. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Accounts } from './accounts/accounts.js';
import { createApp } from './app/create-app.js';
import { logFailure } from './app/failures.js';
import { listedRoutes } from './app/listed-routes.js';
import { mountedService, wireService } from './app/wire-service.js';
import { accountsArea } from './areas/accounts/area.js';
import { authArea } from './areas/auth/area.js';
import { binsArea } from './areas/bins/area.js';
import { bugsArea } from './areas/bugs/area.js';
import { challengesArea } from './areas/challenges/area.js';
import { classesArea } from './areas/classes/area.js';
import { resourceAreas } from './areas/data/areas.js';
import { deliveriesArea } from './areas/deliveries/area.js';
import { graphqlArea } from './areas/graphql/area.js';
import { grpcArea } from './areas/grpc/area.js';
import { healthArea } from './areas/health/area.js';
import { httpArea } from './areas/http/area.js';
import { http2Area } from './areas/http2/area.js';
import { httpbinArea } from './areas/httpbin/area.js';
import { jsonrpcArea } from './areas/jsonrpc/area.js';
import { llmArea } from './areas/llm/area.js';
import { mcpArea } from './areas/mcp/area.js';
import { methodsArea } from './areas/methods/area.js';
import { metricsArea } from './areas/metrics/area.js';
import { oidcArea } from './areas/oidc/area.js';
import { paginationArea } from './areas/pagination/area.js';
import { passkeysArea } from './areas/passkeys/area.js';
import { paymentsArea } from './areas/payments/area.js';
import { picturesArea } from './areas/pictures/area.js';
import { practiceApisArea } from './areas/practice-apis/area.js';
import { rateLimitArea } from './areas/rate-limit/area.js';
import { sandboxArea } from './areas/sandbox/area.js';
import { sessionArea } from './areas/session/area.js';
import { signaturesArea } from './areas/signatures/area.js';
import { signingArea } from './areas/signing/area.js';
import { soapArea } from './areas/soap/area.js';
import { sseArea } from './areas/sse/area.js';
import { tlsArea } from './areas/tls/area.js';
import { verdictsArea } from './areas/verdicts/area.js';
import { versioningArea } from './areas/versioning/area.js';
import { websocketArea } from './areas/websocket/area.js';
import type { Clock } from './base/awaitable.js';
import { ConfigError, configFrom } from './config/config.js';
import { type OptionsOf, settingsOf } from './config/setting.js';
import { type Config, settings as commonSettings } from './config/settings.js';
import { variantOf } from './config/variant.js';
import { loadDatasets } from './data/load-datasets.js';
import type { Datasets } from './data/records.js';
import { openapiRoutes } from './describe/openapi/openapi-routes.js';
import { downloadRoutes } from './describe/postman/download-routes.js';
import { sandboxReader } from './http/address/sandbox-name.js';
import { HeldRequests } from './http/held-requests.js';
import type { Area } from './kit/area.js';
import { baseUrlReader, originOf } from './kit/base-url.js';
import { CertificateAuthority } from './kit/certificates/certificate-authority.js';
import type { AppContext, Infrastructure, MetricsSources } from './kit/infrastructure.js';
import { WrongCodes } from './kit/limits/wrong-codes.js';
import { type OwnPort, ownPortToken, rawPortToken } from './kit/offers/entries.js';
import { Offers } from './kit/offers/offers.js';
import { type FindRoute, Replays } from './kit/replays/replays.js';
import { RequestCounts } from './kit/request-counts.js';
import { RouteCatalogue } from './kit/route-catalogue.js';
import type { Limits, Runtime, Sandboxes, ServiceListener, Services } from './kit/services.js';
import { signingKeyReader } from './kit/signing-key.js';
import { WebSockets } from './kit/websocket/web-sockets.js';
import { areaIndexes } from './site/area-indexes.js';
import { showErrorPage } from './site/error-page.js';
import { guideRoutes } from './site/guides/guide-routes.js';
import { pageRoutes } from './site/page-routes.js';
import { rootFiles } from './site/root-files.js';
import { serviceIndex } from './site/service-index.js';
import { startRoutes } from './site/start/start-routes.js';
import { DueWork } from './state/due-work.js';
import { openState } from './state/open-state.js';
import { OwnedSandboxes } from './state/owned-sandboxes.js';
import { type State, sharedSandboxName } from './state/state.js';
import { BodiesInFlight } from './wire/budgets/bodies-in-flight.js';
import { type Listener, listen } from './wire/servers/listen.js';
import { trustedProxies } from './wire/trusted-proxies.js';

/** In the order of `areaGroups`, which the pages, the lists and the descriptions keep. */
export const areas = [
  methodsArea,
  httpArea,
  httpbinArea,
  versioningArea,
  tlsArea,
  http2Area,
  ...resourceAreas,
  practiceApisArea,
  paginationArea,
  picturesArea,
  authArea,
  sessionArea,
  signaturesArea,
  passkeysArea,
  oidcArea,
  accountsArea,
  graphqlArea,
  soapArea,
  jsonrpcArea,
  grpcArea,
  binsArea,
  signingArea,
  deliveriesArea,
  paymentsArea,
  sseArea,
  websocketArea,
  sandboxArea,
  verdictsArea,
  rateLimitArea,
  challengesArea,
  classesArea,
  bugsArea,
  mcpArea,
  llmArea,
] as const satisfies readonly Area[];

/** Parts about the service itself. */
export const infrastructure = [
  serviceIndex,
  areaIndexes,
  pageRoutes,
  startRoutes,
  guideRoutes,
  rootFiles,
  healthArea,
  openapiRoutes,
  downloadRoutes,
  metricsArea,
] as const satisfies readonly Infrastructure[];

const areaSettings = settingsOf([...areas, ...infrastructure]);

/** All settings: of the service and of its parts. */
export const settings = settingsOf([{ settings: commonSettings }, { settings: areaSettings }]);

/** Settings of the parts, as code sets them. */
export type AreaOptions = OptionsOf<typeof areaSettings>;

export interface RunningService {
  /** Base URL without a slash at the end. */
  readonly url: string;
  /** Base URL with TLS, if enabled. */
  readonly tlsUrl: string | undefined;
  /** Base URLs of areas with their own ports, by the prefix that clients omit there. */
  readonly ownUrls: Readonly<Record<string, string>>;
  /**
   * Reports "not ready" but still serves for `drainMs`, so that load balancers choose other
   * replicas. Then stops accepting, finishes current requests and releases everything. Cuts
   * connections that are still open after `graceMs`.
   */
  stop(graceMs: number, drainMs?: number): Promise<void>;
}

export interface StartOptions {
  readonly clock?: Clock;
  readonly datasets?: Datasets;
  /** Gets all endpoints. */
  readonly catalogue?: RouteCatalogue;
  /** Ends the wait for an unavailable state; the start rejects with its reason. */
  readonly signal?: AbortSignal;
}

export async function startService(
  config: Config,
  log: Logger,
  { signal, ...options }: StartOptions = {},
): Promise<RunningService> {
  const { clock = Date.now } = options;
  const state = await openState(config, { clock, log, ...(signal && { signal }) });
  try {
    return await startOver(state, config, log, options);
  } catch (error) {
    await Promise.resolve(state.close()).catch(() => {});
    throw error;
  }
}

interface Lifetime {
  isStopping: boolean;
  listener: Listener | undefined;
  ownPorts: readonly ServedPort[];
  readonly closers: (() => Promise<void> | void)[];
}

async function startOver(
  state: State,
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningService> {
  const { clock = Date.now, datasets = loadDatasets(), catalogue = new RouteCatalogue() } = options;
  const lifetime: Lifetime = { isStopping: false, listener: undefined, ownPorts: [], closers: [] };
  const services = servicesOver({ state, config, log, clock, datasets }, lifetime);
  const { certificates, isReady } = services.runtime;
  const { bodies } = services.limits;
  const { replays } = services.sandboxes;
  const offers = new Offers(areas, services);
  lifetime.ownPorts = servedPorts(offers.all(ownPortToken).flat(), config.serve);
  const rawPorts = (await Promise.all(offers.all(rawPortToken))).filter((raw) => raw !== undefined);
  const metrics = config.metrics === 'off' ? undefined : metricsOf(services, state, lifetime);
  const parts = partsFor({ config, isReady, offers, catalogue, metrics });
  const onRoutes = (find: FindRoute) => replays.bringRoutes(find);
  const app = await createApp(config, { ...parts, onRoutes }, services, log, metrics?.requests);

  const { host, port, h2c } = config;
  const service = wireService(offers, app, log);
  replays.bring(service);
  const listener = await listen({
    ...{ host, port, service, bodies, h2c },
    limits: limitsOf(config),
    tlsPorts: certificates?.tlsPorts ?? [],
    rawPorts: rawPorts.map(({ port, accept }) => ({ port, accept, tls: certificates?.neighbour })),
    otherPorts: lifetime.ownPorts.map((own) => ({
      port: own.port,
      service: own.isPrefixSent ? service : mountedService(service, own.prefix),
    })),
  });
  lifetime.listener = listener;
  for (const [index, ports] of listener.rawPorts.entries()) rawPorts[index]?.opened(ports);
  if (certificates !== undefined) certificates.ports = listener.tlsPorts;
  const url = originOf(host, listener.port);
  log.info({ url }, 'listening');
  return {
    url,
    tlsUrl: certificates && originOf(host, certificates.port, 'https'),
    ownUrls: Object.fromEntries(
      ownPortsOf(lifetime).map((own) => [own.prefix, originOf(host, own.port)]),
    ),
    stop: stopper(services.limits, { state, log, listener, lifetime }),
  };
}

/** Returns the parts of the application. */
function partsFor(
  known: Pick<AppContext, 'config' | 'isReady' | 'offers' | 'catalogue' | 'metrics'>,
) {
  const { config, offers, catalogue } = known;
  const listed = listedRoutes();
  const variant = variantOf(settings, config);
  const context: AppContext = { ...known, areas, defaults: configFrom(settings, {}), variant };
  return {
    ...{ areas, offers, catalogue, showError: showErrorPage },
    infrastructure: infrastructure.map((part: Infrastructure) => ({
      ...part,
      endpoints: () => part.endpoints(context),
    })),
    ...(listed?.variants.includes(variant) && { listed: listed.areas }),
  };
}

type ServedPort = OwnPort & { readonly port: number };

/** Returns the paths with a separate port. Throws {@link ConfigError} for a name that nothing has. */
function servedPorts(all: readonly OwnPort[], wanted: Config['serve']): readonly ServedPort[] {
  const names = all.map(({ name }) => name);
  const unknown = Object.keys(wanted).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new ConfigError([`SERVE names ${unknown.join(', ')}; known are ${names.join(', ')}.`]);
  }
  return all.flatMap((own) => {
    const port = wanted[own.name] ?? own.port;
    return port === undefined ? [] : [{ ...own, port }];
  });
}

interface Running extends Pick<Given, 'state' | 'log'> {
  readonly listener: Listener;
  readonly lifetime: Lifetime;
}

function stopper(
  { held, detached, webSockets }: Limits,
  { state, log, listener, lifetime }: Running,
): RunningService['stop'] {
  return async (graceMs, drainMs = 0) => {
    lifetime.isStopping = true;
    if (drainMs > 0) {
      log.info({ seconds: drainMs / 1000 }, 'draining');
      listener.drain();
      await sleep(drainMs);
    }
    held.endAll();
    detached.endAll();
    webSockets.closeAll();
    log.info('stopping');
    const cut = setTimeout(() => listener.closeNow(), graceMs);
    await listener.close();
    clearTimeout(cut);
    await Promise.all(lifetime.closers.map((close) => close()));
    await state.close();
    log.info('stopped');
  };
}

/** Returns the actual ports of areas, once the service listens. */
function ownPortsOf({ listener, ownPorts }: Lifetime): readonly Omit<ServedPort, 'name'>[] {
  return (listener?.otherPorts ?? []).map((port, index) => ({
    port,
    prefix: ownPorts[index]?.prefix ?? '',
  }));
}

const limitsOf = (config: Config) => ({
  maxConnections: config.maxConnections,
  isTrusted: trustedProxies(config),
  maxUnsentBytes: config.unsentBytes,
  keepAliveMs: config.keepAliveSeconds * 1000,
});

interface Given {
  readonly state: State;
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly datasets: Datasets;
}

function servicesOver(given: Given, lifetime: Lifetime): Services {
  const runtime = runtimeOf(given, lifetime);
  return { runtime, limits: limitsOver(given, runtime), sandboxes: sandboxesOver(given) };
}

function runtimeOf({ state, config, log, clock }: Given, lifetime: Lifetime): Runtime {
  const plainUrl = () => originOf(config.host, lifetime.listener?.port ?? 0);
  const certificates = certificatesOf(config, plainUrl);
  return {
    config,
    signingKey: signingKeyReader(state),
    clock,
    certificates,
    listeners: () => listenersOf(lifetime, certificates),
    baseUrlOf: baseUrlReader(config),
    isReady: () => !lifetime.isStopping && state.isReady(),
    reportFailure: (request, error) => logFailure(log, request, error),
    writeLog: (level, line) => log[level](line),
    onClose: (close) => lifetime.closers.push(close),
  };
}

function limitsOver({ state, config }: Given, { reportFailure }: Runtime): Limits {
  const bodies = new BodiesInFlight(config.bodyBytes);
  return {
    accounts: new Accounts(state, config),
    held: new HeldRequests(config.heldRequests),
    detached: new HeldRequests(config.heldRequests, 'calls of sessions'),
    bodies,
    webSockets: new WebSockets(config.webSockets, bodies, reportFailure),
    wrongCodes: new WrongCodes(state),
  };
}

function sandboxesOver({ state, config, datasets }: Given): Sandboxes {
  return {
    datasets,
    sandboxOf: sandboxReader(state, config),
    sharedSandbox: state.sandbox(sharedSandboxName),
    sandboxLimits: state.limits,
    sandboxHolding: (space, key) => state.sandboxHolding(space, key),
    owned: new OwnedSandboxes(state),
    dueWork: new DueWork(),
    replays: new Replays(),
  };
}

function listenersOf(
  lifetime: Lifetime,
  certificates: CertificateAuthority | undefined,
): readonly ServiceListener[] {
  const { listener } = lifetime;
  if (listener === undefined) return [];
  const tlsPorts = certificates?.validPorts ?? [];
  return [
    { scheme: 'http', port: listener.port },
    ...ownPortsOf(lifetime).map((own) => ({ scheme: 'http' as const, ...own })),
    ...tlsPorts.map((tlsPort) => ({ scheme: 'https' as const, port: tlsPort })),
  ];
}

function metricsOf(
  { runtime: { isReady }, limits: { held, webSockets, bodies } }: Services,
  state: State,
  lifetime: Lifetime,
): MetricsSources {
  return {
    requests: new RequestCounts(),
    connections: () => lifetime.listener?.connections() ?? 0,
    heldRequests: () => held.size,
    webSockets: () => webSockets.size,
    bodyBytes: () => bodies.total,
    unsentBytes: () => lifetime.listener?.unsentBytes() ?? 0,
    isReady,
    stateSizes: () => state.sizes(),
  };
}

function certificatesOf(config: Config, url: () => string): CertificateAuthority | undefined {
  const { tlsPort: port, tlsDir: folder, baseUrl } = config;
  if (port === undefined) return undefined;
  try {
    // Clients check certificates by their own clocks, not by the service's clock.
    return new CertificateAuthority({
      port,
      folder,
      clock: Date.now,
      plainUrl: () => baseUrl ?? url(),
    });
  } catch (error) {
    throw new ConfigError([`TLS_DIR is ${folder}, but ${(error as Error).message}.`]);
  }
}
