/** The framework's application of one part of the service: what holds for all parts, and then its own. */

import { METHODS } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifySchema,
  type FastifyServerOptions,
  type onSendHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { simulateFaults } from '../faults/wire/simulate-faults.js';
import { allowKeeping } from '../http/caching/caching.js';
import type { Reply, Request } from '../http/exchange.js';
import { parseJsonBodies } from '../http/request-body.js';
import { sandboxNameOf } from '../http/sandbox-name.js';
import type { Area, Services } from '../kit/area.js';
import { checkHost } from '../kit/base-url.js';
import { trustedProxies } from '../wire/trusted-proxies.js';
import { respondToErrors, respondToFrameworkError, type ShowError } from './error-handler.js';
import type { ShapeError } from './error-shapes.js';
import type { SetFixedHeaders } from './fixed-headers.js';
import {
  type KnownPaths,
  type PathRules,
  rejectFallingThrough,
  rejectUnusualMethods,
} from './method-not-allowed.js';
import type { OpenAddress } from './open-account-address.js';
import { methodsByPath, type RoutePlan } from './plan-routes.js';
import { rejectMalformedQueries } from './query-fault.js';
import { countRequests, noArea, type RequestCounts } from './request-counts.js';
import { logRequests } from './request-log.js';
import { requireAccount } from './require-account.js';
import {
  isPreflight,
  isServerWide,
  requestIdOf,
  respondServerWide,
  respondToPreflight,
} from './response-headers.js';

/** What the applications of all parts share. */
export interface House {
  readonly config: Config;
  readonly services: Services;
  readonly log: Logger;
  readonly counts: RequestCounts | undefined;
  readonly knownPaths: KnownPaths;
  readonly pathRules: PathRules;
  readonly setCommonHeaders: (request: Request, reply: Reply) => void;
  readonly setFixedHeaders: SetFixedHeaders;
  readonly openAddress: OpenAddress;
  readonly schemaController: NonNullable<FastifyServerOptions['schemaController']>;
  readonly shapeError: ShapeError;
  readonly showError: ShowError | undefined;
}

/** A part, and what it adds. */
export interface PlannedPart {
  readonly area: Area;
  /** Faults are simulated on areas, and they may require an account. */
  readonly isInfrastructure: boolean;
  readonly plan: RoutePlan;
}

/** Without a part, it is the application in which nothing is found. */
export async function partApp(house: House, part?: PlannedPart): Promise<FastifyInstance> {
  const name = part === undefined ? noArea : part.area.name;
  const { config, services, log, counts, knownPaths, setFixedHeaders, openAddress } = house;
  const setCommonHeaders = (request: Request, reply: Reply) => {
    house.setCommonHeaders(request, reply);
    setFixedHeaders(request, reply);
  };
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: config.trustProxy !== false && trustedProxies(config),
    routerOptions: { ...house.pathRules },
    schemaController: house.schemaController,
    frameworkErrors: (error: FastifyError, request, reply) => {
      counts?.count(reply, counts.of(name));
      setCommonHeaders(request, reply);
      respondToFrameworkError(error, reply);
    },
  });

  for (const method of METHODS)
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  async function enterByAddress({ raw }: Request, reply: Reply): Promise<void> {
    // Nothing that a page of ours, or of a bin, loads from here is to be told the address.
    reply.header('referrer-policy', 'no-referrer');
    await openAddress(raw);
    sandboxNameOf(raw);
  }
  if (counts !== undefined) countRequests(app, counts, name);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    if (isPreflight(request) && !request.routeOptions.config?.takesEverything) {
      respondToPreflight(request, reply);
      return;
    }
    if (isServerWide(request)) {
      respondServerWide(reply);
      return;
    }
    checkHost(request.raw);
    if (request.raw.sandboxAddress?.secret !== undefined) {
      enterByAddress(request, reply).then(() => done(), done);
      return;
    }
    sandboxNameOf(request.raw);
    done();
  });
  leaveOutLengthOfNothing(app);
  app.decorate('bodies', services.bodies);
  const isAccountRequired = config.accounts === 'required';
  if (isAccountRequired) app.decorateRequest('accountId');
  respondToErrors(app, knownPaths, log, house.shapeError, house.showError);
  logRequests(app, log);
  parseJsonBodies(app);

  if (part !== undefined) {
    rejectUnusualMethods(app, knownPaths);
    leaveOutResponses(app);
    await app.register(async (scope) => addPart(scope, house, part));
    rejectFallingThrough(app, methodsByPath(part.plan.routes));
  }
  leaveBodiesToRoutes(app);
  await app.ready();
  return app;
}

function addPart(
  scope: FastifyInstance,
  { config, services, knownPaths, setFixedHeaders }: House,
  { area, isInfrastructure, plan }: PlannedPart,
): void {
  if (area.fixedHeaders !== undefined) {
    // The address may have been written with escapes; that of the route is not.
    scope.addHook('onRequest', (request, reply, done) => {
      setFixedHeaders(request, reply, request.routeOptions.url);
      done();
    });
  }
  allowKeeping(scope, area);
  // Before anything that a stranger could ask for.
  if (config.accounts === 'required' && !isInfrastructure && !area.isOpen) {
    requireAccount(scope, services.accounts, config);
  }
  if (isInfrastructure || !area.isAnyQueryTaken) rejectMalformedQueries(scope);
  if (!isInfrastructure) simulateFaults(scope, area, services, knownPaths);
  plan.addTo(scope);
}

/**
 * Responses are for the description alone. The framework would make a serializer for each status of each route, which
 * are 4 MiB, and write what is sent no faster.
 */
function leaveOutResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { response: _, ...checked }: FastifySchema = route.schema ?? {};
    route.schema = checked;
  });
}

/**
 * An answer to HEAD that sends nothing to GET either would get the length 0 by the framework, where there
 * must be the length of the representation or none (RFC 9110 section 8.6).
 */
function leaveOutLengthOfNothing(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    const dropLength: onSendHookHandler = (_request, reply, payload, done) => {
      const { statusCode } = reply;
      if (statusCode === 304 || statusCode === 204) reply.removeHeader('content-length');
      done(null, payload);
    };
    route.onSend = [...[route.onSend ?? []].flat(), dropLength];
  });
}

/**
 * From here on no verb has a body in the framework's eyes, so it reads none: see request-body.ts.
 * Not earlier, because it accepts a schema for a body only on verbs that have one.
 */
function leaveBodiesToRoutes(app: FastifyInstance): void {
  for (const method of METHODS) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}
