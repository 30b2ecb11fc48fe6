/** Reads the declarations of practice APIs in `data/practice-apis/`. */

import { type Collection, collection } from './collection.js';
import type { Dialect, Difference, Handle, RouteText } from './dialect.js';
import { makeRecord, readJson } from './generate.js';
import { Outcome } from './outcome.js';

interface Declaration
  extends Pick<
    Dialect,
    'title' | 'summary' | 'first' | 'follows' | 'bases' | 'description' | 'keepsWrites'
  > {
  readonly hints: string;
  readonly differences: readonly Difference[];
  readonly limit?: {
    readonly requests: number;
    readonly seconds: number;
    readonly status: number;
    readonly body: unknown;
  };
  readonly schemas?: Readonly<Record<string, object>>;
  /** By the id of the operation: `GET /path`, the summary, and the rest of the description. */
  readonly routes: Readonly<
    Record<string, readonly [target: string, summary: string, text?: RouteText]>
  >;
  readonly collections?: Readonly<Record<string, CollectionDeclaration>>;
}

interface CollectionDeclaration {
  readonly count: number;
  readonly of: object;
  readonly idName?: string;
  /** Members of the records of some ids. */
  readonly except?: Readonly<Record<string, object>>;
}

const declarationOf = (name: string) => readJson(name) as Declaration;

/** Returns the collections of a dialect, which make their rows on first use. `suffix` keeps several sets apart. */
export function collectionsOf<Name extends string>(
  dialect: string,
  suffix = '',
): Readonly<Record<Name, Collection>> {
  const { collections = {} } = declarationOf(dialect);
  const made = Object.entries(collections).map(([name, { count, of, idName, except = {} }]) => {
    const seed = `${dialect}-${name}`;
    const rows = () =>
      Array.from({ length: count }, (_, place) => ({
        ...makeRecord(of, place + 1, seed),
        ...except[place + 1],
      }));
    return [name, collection(seed + suffix, rows, idName)];
  });
  return Object.fromEntries(made) as Record<Name, Collection>;
}

/** Throws for a declared operation without a handler, and for a handler without one. */
export function declareDialect(
  name: string,
  handlers: Readonly<Record<string, Handle>>,
  rest: Pick<Dialect, 'unknown'> & Partial<Pick<Dialect, 'before' | 'failure' | 'send'>>,
): Dialect {
  const { hints, limit, routes, ...declared } = declarationOf(name);
  const known = Object.entries(routes).map(([id, [target, summary, text]]) => {
    const handle = handlers[id];
    if (handle === undefined) throw new Error(`${name} has no handler of ${id}.`);
    const [methods = '', path = ''] = target.split(' ');
    return { id, methods: methods.split(','), path, summary, handle, ...text };
  });
  const stray = Object.keys(handlers).find((id) => !Object.hasOwn(routes, id));
  if (stray !== undefined) throw new Error(`${name} does not declare ${stray}.`);
  return {
    name,
    ...declared,
    hints: new RegExp(hints),
    ...(limit && { limit: { ...limit, outcome: new Outcome(limit.status, limit.body) } }),
    routes: known,
    ...rest,
  };
}
