/** What routes there are, for descriptions, pages and lists. */

import type { Area } from './area.js';
import { nameOperation } from './describe/name-operation.js';
import type { AnySpec, Endpoint } from './endpoint.js';

export interface CataloguedRoute {
  readonly area: CataloguedArea;
  /** One verb in capitals. */
  readonly method: string;
  /** As routes are written, such as `/api/Events/:id`. */
  readonly url: string;
  readonly spec: AnySpec;
  /** Answers without an account even where the service requires one. */
  readonly isOpen: boolean;
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
  readonly #added: (() => void)[] = [];
  readonly #routes: CataloguedRoute[] = [];
  /** A method and a path each. */
  readonly #known = new Set<string>();

  /** Notes what an area has added; its schemas are made when somebody asks for the routes. */
  add(area: Area, routes: readonly Endpoint[], isInfrastructure = false): void {
    this.#added.push(() => this.#list(area, routes, isInfrastructure));
  }

  #list(area: Area, routes: readonly Endpoint[], isInfrastructure: boolean): void {
    const catalogued = { area, isInfrastructure };
    for (const { methods, path: url, spec } of routes) {
      const isOpen = isInfrastructure || area.defaults?.isOpen === true || spec.isOpen === true;
      const { describedAs: at = url } = spec;
      // HEAD beside GET says nothing that GET does not.
      const isTwin = methods.length === 1 && methods[0] === 'HEAD' && this.#has('GET', at);
      if (spec.hide || isTwin) continue;
      const route = { area: catalogued, url: at, spec, isOpen };
      for (const each of methods) {
        const isKnown = at !== url && this.#has(each, at);
        if (!describedMethods.has(each) || isKnown) continue;
        this.#routes.push({ ...route, method: each });
        this.#known.add(`${each} ${at}`);
      }
    }
  }

  #has(method: string, url: string): boolean {
    return this.#known.has(`${method} ${url}`);
  }

  get routes(): readonly CataloguedRoute[] {
    for (const list of this.#added.splice(0)) list();
    return this.#routes;
  }

  /** Everything that can be called and that the description describes, in the order of the areas. */
  operations(): OperationSummary[] {
    return this.routes.map(({ area, method, url, spec }) => ({
      operationId: nameOperation(method, url),
      area: area.area.name,
      method,
      path: pathTemplate(url),
      summary: spec.summary ?? '',
    }));
  }
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
