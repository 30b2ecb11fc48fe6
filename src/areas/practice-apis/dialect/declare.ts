/** Makes dialects and their collections from declarations. */

import { type Collection, collection } from './collection.js';
import { declarationOf, readTarget } from './declaration.js';
import type { Dialect, Handle } from './dialect.js';
import { makeRecord } from './generate.js';
import { Outcome } from './outcome.js';

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

/** Returns handlers by other names of their operations. */
export const renamed = (
  handlers: Readonly<Record<string, Handle>>,
  rename: (id: string) => string,
): Readonly<Record<string, Handle>> =>
  Object.fromEntries(Object.entries(handlers).map(([id, handle]) => [rename(id), handle]));

/** Throws for a declared operation without a handler, and for a handler without one. */
export function declareDialect(
  name: string,
  handlers: Readonly<Record<string, Handle>>,
  rest: Pick<Dialect, 'unknown'> & Partial<Pick<Dialect, 'before' | 'failure' | 'send'>>,
): Dialect {
  const { limit, routes, alias, title, summary, follows, ...more } = declarationOf(name);
  const known = Object.entries(routes).flatMap(([id, [target, summary, text]]) => {
    const handle = handlers[id];
    if (handle === undefined) throw new Error(`${name} has no handler of ${id}.`);
    const { methods, paths } = readTarget(target, alias);
    return paths.map((path) => ({ id, methods, path, summary, handle, ...text }));
  });
  const stray = Object.keys(handlers).find((id) => !Object.hasOwn(routes, id));
  if (stray !== undefined) throw new Error(`${name} does not declare ${stray}.`);
  return {
    ...{ name, title, summary, follows },
    ...(more.description !== undefined && { description: more.description }),
    ...(more.schemas && { schemas: more.schemas }),
    keepsWrites: more.keepsWrites === true,
    ...(limit && { limit: { ...limit, outcome: new Outcome(limit.status, limit.body) } }),
    routes: known,
    ...rest,
  };
}
