/**
 * What routes there are, noted as areas add them. Noting costs next to nothing, so that the start
 * does not pay for a description that nobody may ask for.
 */

import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { Area } from './area.js';
import { nameOperation } from './name-operation.js';

export interface CataloguedRoute {
  readonly area: CataloguedArea;
  /** One verb in capitals. */
  readonly method: string;
  /** As routes are written, such as `/api/Events/:id`. */
  readonly url: string;
  readonly schema: FastifySchema;
  /** Answers without an account even where the service requires one. */
  readonly isOpen: boolean;
  /** Whether parameters that ask for a fault elsewhere ask for none here. */
  readonly takesEverything?: true;
}

export interface CataloguedArea {
  readonly area: Area;
  /** Pages, health and the like: no faults are simulated there, and no account is needed. */
  readonly isInfrastructure: boolean;
}

/** An operation as a list shows it. */
export interface OperationSummary {
  readonly operationId: string;
  /** The name of its area. */
  readonly area: string;
  readonly method: string;
  /** As people write it, such as `/api/Events/{id}`. */
  readonly path: string;
  readonly summary: string;
}

/** The verbs that an OpenAPI 3.1 path item has a place for; PURGE and the like are left out. */
const describedMethods = new Set([
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
]);

export class RouteCatalogue {
  readonly #routes: CataloguedRoute[] = [];
  /** A method and a path each. */
  readonly #known = new Set<string>();

  /** The same areas, whose routes are noted from now on. */
  watch(areas: readonly Area[], isInfrastructure = false): readonly Area[] {
    return areas.map((area) => {
      const catalogued = { area, isInfrastructure };
      return {
        ...area,
        addRoutes: (app, services) => {
          app.addHook('onRoute', (options) => {
            const { method, url, schema = {}, config } = options;
            options.schema = withoutResponses(schema);
            const isOpen = isInfrastructure || area.isOpen === true || config?.isOpen === true;
            // HEAD comes by itself with each GET and says nothing that GET does not.
            const isTwin = method === 'HEAD' && this.#has('GET', schema.describedAs ?? url);
            if (schema.hide || isTwin) return;
            const { describedAs: at = url } = schema;
            const route = { area: catalogued, url: at, schema, isOpen, ...takesEverything(config) };
            for (const each of [method].flat()) {
              const isKnown = at !== url && this.#has(each, at);
              if (!describedMethods.has(each) || isKnown) continue;
              this.#routes.push({ ...route, method: each });
              this.#known.add(`${each} ${at}`);
            }
          });
          return area.addRoutes(app, services);
        },
      };
    });
  }

  #has(method: string, url: string): boolean {
    return this.#known.has(`${method} ${url}`);
  }

  get routes(): readonly CataloguedRoute[] {
    return this.#routes;
  }

  /** Everything that can be called and that the description describes, in the order of the areas. */
  operations(): OperationSummary[] {
    return this.#routes.map(({ area, method, url, schema }) => ({
      operationId: nameOperation(method, url),
      area: area.area.name,
      method,
      path: pathTemplate(url),
      summary: schema.summary ?? '',
    }));
  }
}

/**
 * Responses are for the description alone. The framework would make a serializer for each status of each route, which
 * are 4 MiB, and write what is sent no faster.
 */
function withoutResponses({ response: _, ...checked }: FastifySchema): FastifySchema {
  return checked;
}

function takesEverything(config: FastifyContextConfig | undefined) {
  return config?.takesEverything && { takesEverything: config.takesEverything };
}

/** What an index tells of an operation; `ANY` stands for all verbs. */
export type IndexEntry = Pick<OperationSummary, 'method' | 'path' | 'summary'>;

/** The operations below a path, which itself is left out. */
export function listBelow(operations: readonly OperationSummary[], path: string): IndexEntry[] {
  const start = `${path}/`.toLowerCase();
  const below = operations.filter((operation) => operation.path.toLowerCase().startsWith(start));
  const methodsAt = (at: string) => below.filter((operation) => operation.path === at);
  return below.flatMap(({ method, path: at, summary }) => {
    const all = methodsAt(at);
    if (all.length < describedMethods.size) return { method, path: at, summary };
    return all[0]?.method === method ? { method: 'ANY', path: at, summary } : [];
  });
}

/** A path as OpenAPI writes it: names in braces. */
export function pathTemplate(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}').replace('*', '{subPath}');
}
