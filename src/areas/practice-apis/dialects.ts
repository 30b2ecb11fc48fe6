/** The practice APIs. A new one is added to this list. Each is loaded when it gets its first request. */

import { declarationOf, readTarget } from './dialect/declaration.js';
import type { Dialect } from './dialect/dialect.js';

type Load = () => Promise<{ readonly dialect: Dialect }>;

const loads: Readonly<Record<string, Load>> = {
  jsonplaceholder: () => import('./jsonplaceholder/dialect.js'),
  dummyjson: () => import('./dummyjson/dialect.js'),
  fakestore: () => import('./fakestore/dialect.js'),
  reqres: () => import('./reqres/dialect.js'),
  'restful-booker': () => import('./restful-booker/dialect.js'),
  petstore: () => import('./petstore/dialect.js'),
  'postman-echo': () => import('./postman-echo/dialect.js'),
};

/** The part of a practice API that the start of the service needs. */
export interface Listed {
  /** The name that `--serve` accepts; its paths are below `/name`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly first: string;
  readonly bases: readonly string[];
  readonly description: string;
  readonly hints: RegExp;
  /** The paths of its routes, from the root. */
  readonly routes: readonly string[];
  readonly load: Load;
}

export const dialects: readonly Listed[] = Object.entries(loads).map(([name, load]) => {
  const { title, summary, first, hints, routes, alias, ...more } = declarationOf(name);
  const { bases = [''], description = '/openapi.json' } = more;
  return {
    ...{ name, title, summary, first, load, hints: new RegExp(hints) },
    bases: bases.map((base) => `/${name}${base}`),
    description: `/${name}${description}`,
    routes: Object.values(routes).flatMap(([target]) =>
      readTarget(target, alias).paths.map((path) => `/${name}${path}`),
    ),
  };
});
