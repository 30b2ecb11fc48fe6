/**
 * What a part of the service adds to its application, noted so that the framework is told of it when the first request
 * comes for that part: most of those who start the service use two or three.
 */

import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { App } from '../kit/area.js';

export interface PlannedRoute {
  /** Verbs in capitals, without the HEAD that comes by itself with GET. */
  readonly methods: readonly string[];
  /** As routes are written, such as `/api/Events/:id`. */
  readonly url: string;
  /** Made when it is first read, where a part says so with a getter. */
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
  /** Whether HEAD comes with GET. */
  readonly isHeadAdded: boolean;
}

/** All verbs of a route. */
export function methodsOf({ methods, isHeadAdded }: PlannedRoute): readonly string[] {
  return isHeadAdded ? [...methods, 'HEAD'] : methods;
}

/** The verbs of each path. */
export function methodsByPath(
  routes: readonly PlannedRoute[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const route of routes) {
    const methods = found.get(route.url) ?? new Set();
    found.set(route.url, methods);
    for (const method of methodsOf(route)) methods.add(method);
  }
  return found;
}

export interface RoutePlan {
  readonly routes: readonly PlannedRoute[];
  /** Tells the framework. Once. */
  addTo(app: FastifyInstance): void;
  /** Ends what the part has begun, also where the framework was never told. */
  close(): Promise<void>;
}

const verbs = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

type Step = (app: FastifyInstance) => void;
type Noted = Pick<RouteOptions, 'config' | 'exposeHeadRoute' | 'schema'>;

/** Lets a part add its routes and hooks to what only notes them. */
export async function planRoutes(
  addRoutes: (app: App) => void | Promise<void>,
): Promise<RoutePlan> {
  const routes: PlannedRoute[] = [];
  const steps: Step[] = [];
  const ends: (() => Promise<void>)[] = [];
  let told: FastifyInstance | undefined;

  function note(methods: readonly string[], url: string, options: Noted): void {
    const { config = {}, exposeHeadRoute = true } = options;
    const isHeadAdded = exposeHeadRoute && methods.includes('GET') && !methods.includes('HEAD');
    routes.push({
      methods,
      url,
      get schema() {
        return options.schema ?? {};
      },
      config,
      isHeadAdded,
    });
  }

  const app = {
    ...Object.fromEntries(
      verbs.map((verb) => [
        verb,
        (url: string, options: Noted | (() => unknown), handler?: never) => {
          note([verb.toUpperCase()], url, typeof options === 'object' ? options : {});
          steps.push((to) => void to[verb](url, options as never, handler as never));
          return app;
        },
      ]),
    ),
    route(options: RouteOptions) {
      note([options.method].flat(), options.url, options);
      steps.push((to) => void to.route(options));
      return app;
    },
    addHook(name: string, hook: never) {
      if (name === 'onClose') ends.push(hook);
      else steps.push((to) => void to.addHook(name as 'onRequest', hook));
      return app;
    },
    get validatorCompiler() {
      return told?.validatorCompiler;
    },
  } as unknown as App;
  await addRoutes(app);
  return {
    routes,
    addTo(to) {
      told = to;
      for (const step of steps.splice(0)) step(to);
    },
    async close() {
      await Promise.all(ends.map((end) => end()));
    },
  };
}
