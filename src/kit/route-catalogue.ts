/** All endpoints of the service, for descriptions, pages and lists. */

import { routeTemplate } from '#http/address/route-path.js';
import type { Area } from './area.js';
import { shownMethod } from './describe/collect-endpoints.js';
import { nameOperation } from './describe/name-operation.js';
import type { AnySpec, Endpoint } from './endpoint.js';

export interface CataloguedRoute {
  readonly area: CataloguedArea;
  /** The same as in the description. */
  readonly method: string;
  /**
   * Methods of the endpoint that OpenAPI supports: several if it accepts any method, of which
   * `method` is shown.
   */
  readonly methods: readonly string[];
  /** In the syntax of routes, such as `/api/Events/:id`. */
  readonly url: string;
  readonly spec: AnySpec;
  /** Accessible without an account even if the service requires one. */
  readonly isOpen: boolean;
}

export interface CataloguedArea {
  readonly area: Area;
  /** Pages, health checks and others without simulated faults and accounts. */
  readonly isInfrastructure: boolean;
}

export interface OperationSummary {
  readonly operationId: string;
  readonly area: string;
  /** `ANY` if the endpoint accepts any method. */
  readonly method: string;
  /** Methods of OpenAPI that it includes. */
  readonly methods: readonly string[];
  /** Such as `/api/Events/{id}`. */
  readonly path: string;
  readonly summary: string;
}

/** The methods of a path item of OpenAPI 3.1. */
const describedMethods = new Set('GET PUT POST DELETE OPTIONS HEAD PATCH TRACE'.split(' '));

/** Endpoints, or a function that loads them. */
type Given = readonly Endpoint[] | (() => Promise<readonly Endpoint[]>);

interface Part {
  readonly area: Area;
  readonly isInfrastructure: boolean;
  given: Given;
}

export class RouteCatalogue {
  readonly #added: Part[] = [];
  readonly #routes: CataloguedRoute[] = [];
  /** Places in the list, by method and path. */
  readonly #known = new Map<string, number>();

  /** Adds the endpoints of an area, whose schemas are made on first use. */
  add(area: Area, given: Given, isInfrastructure = false): void {
    this.#added.push({ area, isInfrastructure, given });
  }

  /** Loads what is not loaded. Handlers that list endpoints wait for it. */
  readonly complete = async (): Promise<void> => {
    for (const part of this.#added) {
      if (typeof part.given === 'function') part.given = await part.given();
    }
  };

  #list(area: Area, routes: readonly Endpoint[], isInfrastructure: boolean): void {
    const catalogued = { area, isInfrastructure };
    for (const { methods, path: url, spec } of routes) {
      const isOpen = isInfrastructure || area.defaults?.isOpen === true || spec.isOpen === true;
      const { describedAs: at = url } = spec;
      // The description of GET includes HEAD.
      const isTwin = methods.length === 1 && methods[0] === 'HEAD' && this.#has('GET', at);
      if (spec.hide || isTwin) continue;
      const isAnyMethod = methods.length > describedMethods.size;
      const route = { area: catalogued, url: at, spec, isOpen };
      for (const each of isAnyMethod ? [shownMethod(spec)] : methods) {
        const key = `${each} ${at}`;
        const known = this.#known.get(key);
        if (!describedMethods.has(each) || (at !== url && known !== undefined)) continue;
        const standsFor = isAnyMethod ? methods.filter((one) => describedMethods.has(one)) : [each];
        // The endpoint at that path itself replaces another endpoint with that description.
        const index = known ?? this.#routes.length;
        this.#routes[index] = { ...route, method: each, methods: standsFor };
        this.#known.set(key, index);
      }
    }
  }

  #has(method: string, url: string): boolean {
    return this.#known.has(`${method} ${url}`);
  }

  /** Throws before {@link complete}, if the endpoints of an area are not loaded. */
  get routes(): readonly CataloguedRoute[] {
    const late = this.#added.find(({ given }) => typeof given === 'function');
    if (late !== undefined) throw new Error(`The area ${late.area.name} is not loaded.`);
    for (const { area, isInfrastructure, given } of this.#added.splice(0)) {
      this.#list(area, given as readonly Endpoint[], isInfrastructure);
    }
    return this.#routes;
  }

  /** Returns all described operations, in the order of the areas. */
  operations(): OperationSummary[] {
    return this.routes.map(({ area, method, methods, url, spec }) => ({
      operationId: nameOperation(method, url),
      area: area.area.name,
      method: methods.length > 1 ? 'ANY' : method,
      methods,
      path: pathTemplate(url),
      summary: spec.summary ?? '',
    }));
  }
}

/** An operation in an index. */
export type IndexEntry = Pick<OperationSummary, 'method' | 'path' | 'summary'>;

/** Returns the operations below a path, without the operations of the path itself. */
export function listBelow(operations: readonly OperationSummary[], path: string): IndexEntry[] {
  const start = `${path}/`.toLowerCase();
  return operations
    .filter((operation) => operation.path.toLowerCase().startsWith(start))
    .map(({ method, path: at, summary }) => ({ method, path: at, summary }));
}

/** Writes a path in the syntax of OpenAPI, with names in braces. */
export function pathTemplate(url: string): string {
  return routeTemplate(url).replace('*', '{subPath}');
}
