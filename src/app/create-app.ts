/** The HTTP application: the parts of the service, each made when the first request for it comes. */

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { lazily } from '../base/lazily.js';
import type { Config } from '../config/settings.js';
import { unexpectedFailure } from '../http/http-error.js';
import type { Area, Services } from '../kit/area.js';
import { type RequestListener, reject } from '../wire/http1/handle-framed.js';
import type { ShowError } from './error-handler.js';
import { errorShapes } from './error-shapes.js';
import { fixedHeaders } from './fixed-headers.js';
import { findPaths } from './method-not-allowed.js';
import { suggestPaths } from './nearest-paths.js';
import { accountAddressOpener } from './open-account-address.js';
import { type House, type PlannedPart, partApp } from './part-app.js';
import { methodsByPath, planRoutes } from './plan-routes.js';
import type { RequestCounts } from './request-counts.js';
import { commonHeaders } from './response-headers.js';
import type { RouteCatalogue } from './route-catalogue.js';
import { lazySchemaController } from './schema-compilers.js';

const pathRules = {
  caseSensitive: false,
  ignoreTrailingSlash: true,
  /** Longer segments get 414; names and passwords in a path stay well below. */
  maxParamLength: 2000,
} as const;

interface Parts {
  /** What the service is there for; faults can be simulated on all of it. */
  readonly areas: readonly Area[];
  /** Pages, health and the like. */
  readonly infrastructure: readonly Area[];
  /** What browsers are shown of what is not there; everyone gets JSON without it. */
  readonly showError?: ShowError;
  /** Notes all routes. */
  readonly catalogue?: RouteCatalogue;
}

export interface ServiceApp {
  /** Answers a request. */
  readonly routing: RequestListener;
  /** Ends what the parts have begun. */
  close(): Promise<void>;
}

/** What there is at a path. */
interface Place {
  readonly methods: ReadonlySet<string>;
  readonly handle: RequestListener;
}

export async function createApp(
  config: Config,
  { areas, infrastructure, showError, catalogue }: Parts,
  services: Services,
  log: Logger,
  counts?: RequestCounts,
): Promise<ServiceApp> {
  const places = new Map<string, Place>();
  const closers: (() => Promise<void>)[] = [];

  /** Of an application that is made when the first request comes. */
  function handlerOf(part: PlannedPart): RequestListener {
    let made: Promise<FastifyInstance> | undefined;
    let routing: RequestListener | undefined;
    closers.push(async () => {
      // Of one that could not be made, its first request was told.
      await made?.then(
        (app) => app.close(),
        () => {},
      );
    });
    async function makeFor(...[request, response]: Parameters<RequestListener>): Promise<void> {
      try {
        made ??= partApp(house, part);
        routing ??= (await made).routing as RequestListener;
      } catch (error) {
        log.error({ err: error, area: part.area.name }, 'an area cannot be made');
        reject(request, response, 500, unexpectedFailure);
        return;
      }
      // Whoever has gone meanwhile is not counted either.
      if (!response.destroyed) routing(request, response);
    }
    return (request, response) => {
      if (routing === undefined) makeFor(request, response);
      else routing(request, response);
    };
  }

  async function add(area: Area, isInfrastructure: boolean): Promise<void> {
    const plan = await planRoutes((app) => area.addRoutes(app, services));
    // It is told of before anything is counted.
    counts?.of(area.name);
    catalogue?.add(area, plan.routes, isInfrastructure);
    closers.push(() => plan.close());
    const handle = handlerOf({ area, isInfrastructure, plan });
    for (const [url, methods] of methodsByPath(plan.routes)) {
      if (places.has(url)) throw new Error(`${url} has routes of two areas.`);
      places.set(url, { methods, handle });
    }
  }

  for (const part of infrastructure) await add(part, true);
  for (const area of areas) await add(area, false);

  // Made for the first path that is not as it is declared: it takes a tenth of the start. Of a parameter that is
  // too long, the application of the part tells.
  const router = lazily(() => {
    return findPaths(places, { ...pathRules, maxParamLength: Number.MAX_SAFE_INTEGER });
  });
  const suggest = lazily(() => suggestPaths(places.keys()));
  /** Most paths are as they are declared. */
  function find(url: string): Place | undefined {
    const end = url.indexOf('?');
    return places.get(end < 0 ? url : url.slice(0, end)) ?? router()(url);
  }
  const house: House = {
    config,
    services,
    log,
    counts,
    knownPaths: {
      nearestTo: (path) => suggest()(path),
      methodsAt(url) {
        const place = find(url);
        return place && [...place.methods].sort();
      },
    },
    pathRules,
    setCommonHeaders: commonHeaders(config),
    setFixedHeaders: fixedHeaders(areas),
    openAddress: accountAddressOpener(services.accounts, config),
    schemaController: lazySchemaController(),
    shapeError: errorShapes(areas, services),
    showError,
  };
  // At once, so that the first request for nothing is answered as all others: before its body is looked at.
  const nobody = await partApp(house);
  closers.push(() => nobody.close());
  const handleOthers = nobody.routing as RequestListener;
  return {
    routing(request, response) {
      const { url = '' } = request;
      (find(url)?.handle ?? handleOthers)(request, response);
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}
