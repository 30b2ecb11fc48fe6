/** The HTTP application: what holds for all areas, once, and then the areas. */

import { METHODS } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onSendHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { App, Area, Services } from './area.js';
import { checkHost } from './base-url.js';
import { allowKeeping } from './caching.js';
import { respondToErrors, respondToFrameworkError, type ShowError } from './error-handler.js';
import { errorShapes } from './error-shapes.js';
import { fixedHeaders } from './fixed-headers.js';
import { collectPaths, rejectFallingThrough } from './method-not-allowed.js';
import { accountAddressOpener } from './open-account-address.js';
import { rejectMalformedQueries } from './query-fault.js';
import { parseJsonBodies } from './request-body.js';
import { countRequests, noArea, type RequestCounts } from './request-counts.js';
import { logRequests } from './request-log.js';
import { requireAccount } from './require-account.js';
import {
  commonHeaders,
  isPreflight,
  isServerWide,
  requestIdOf,
  respondServerWide,
  respondToPreflight,
} from './response-headers.js';
import { sandboxNameOf } from './sandbox-name.js';
import { lazySchemaController } from './schema-compilers.js';
import { simulateFaults } from './simulate-faults.js';
import { trustedProxies } from './trusted-proxies.js';

const pathRules = {
  caseSensitive: false,
  ignoreTrailingSlash: true,
  /** Longer segments get 414; names and passwords in a path stay well below. */
  maxParamLength: 2000,
} as const;

interface Routes {
  /** What the service is there for; faults can be simulated on all of it. */
  readonly areas: readonly Area[];
  /** Pages, health and the like. */
  readonly infrastructure: readonly Area[];
  /** What browsers are shown of what is not there; everyone gets JSON without it. */
  readonly showError?: ShowError;
}

export async function createApp(
  config: Config,
  { areas, infrastructure, showError }: Routes,
  services: Services,
  log: Logger,
  counts?: RequestCounts,
): Promise<App> {
  const setCommon = commonHeaders(config);
  const setFixed = fixedHeaders(areas);
  const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => {
    setCommon(request, reply);
    setFixed(request, reply);
  };
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: config.trustProxy !== false && trustedProxies(config),
    routerOptions: { ...pathRules },
    schemaController: lazySchemaController(),
    frameworkErrors: (error: FastifyError, request, reply) => {
      counts?.count(reply, counts.of(noArea));
      setCommonHeaders(request, reply);
      respondToFrameworkError(error, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  for (const method of METHODS)
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  const openAddress = accountAddressOpener(services.accounts, config);
  async function enterByAddress({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Nothing that a page of ours, or of a bin, loads from here is to be told the address.
    reply.header('referrer-policy', 'no-referrer');
    await openAddress(raw);
    sandboxNameOf(raw);
  }
  const counting = counts && countRequests(app, counts, pathRules);
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
  const knownPaths = collectPaths(app, pathRules);
  respondToErrors(app, knownPaths, log, errorShapes(areas, services), showError);
  logRequests(app, log);
  parseJsonBodies(app);

  for (const area of infrastructure) {
    await app.register(async (scope) => {
      counting?.addArea(scope as App, area.name);
      allowKeeping(scope, area);
      rejectMalformedQueries(scope);
      await area.addRoutes(scope as App, services);
    });
  }
  for (const area of areas) {
    await app.register(async (scope) => {
      counting?.addArea(scope as App, area.name);
      if (area.fixedHeaders !== undefined) {
        // The address may have been written with escapes; that of the route is not.
        scope.addHook('onRequest', (request, reply, done) => {
          setFixed(request, reply, request.routeOptions.url);
          done();
        });
      }
      allowKeeping(scope, area);
      // Before anything that a stranger could ask for.
      if (isAccountRequired && !area.isOpen) requireAccount(scope, services.accounts, config);
      if (!area.isAnyQueryTaken) rejectMalformedQueries(scope);
      simulateFaults(scope, area, services, knownPaths);
      await area.addRoutes(scope as App, services);
    });
  }
  rejectFallingThrough(app, knownPaths);
  leaveBodiesToRoutes(app);
  await app.ready();
  return app;
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
