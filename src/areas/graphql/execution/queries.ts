/** Resolvers of Query. Lists are in ascending order of id. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import type { Datasets } from '#data/records.js';
import { type RequestContext, tableOf } from './request-context.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** Returns a list of records, or one record, or `undefined` if there is none. */
export type Query = (
  args: Arguments,
  context: RequestContext,
) => Awaitable<readonly object[] | object | undefined>;

export const queries: Readonly<Record<string, Query>> = {
  users: list('users'),
  user: one('users'),
  products: list('products', 'category'),
  product: one('products'),
  posts: list('posts', 'userId'),
  post: one('posts'),
  todos: list('todos', 'completed'),
  employees: list('employees', 'department'),
  employee: one('employees'),
  companies: list('companies'),
  books: list('books', 'genre'),
  book: one('books'),
  movies: list('movies', 'genre', 'genres'),
  movie: one('movies'),
  countries: list('countries', 'region'),
  country: ({ code }, context) => {
    // Only ASCII, because other letters change to these in upper case, such as the ligature fi.
    if (!/^[A-Za-z]{2,3}$/.test(code as string)) return undefined;
    const wanted = (code as string).toUpperCase();
    return whenKnown(tableOf(context, 'countries').list(), (countries) =>
      countries.find((country) => country.code === wanted || country.code3 === wanted),
    );
  },
  people: list('people'),
  events: list('events', 'category'),
  albums: list('albums', 'userId'),
  photos: list('photos', 'albumId'),
};

/** Lists the rows whose field, or one of its values, equals the argument, if it has a value. */
function list<Name extends keyof Datasets>(
  name: Name,
  argument = '',
  field = argument as keyof Datasets[Name][number],
): Query {
  return (args, context) => {
    const rows = tableOf(context, name).list();
    const given = args[argument];
    if (given === undefined || given === null) return rows;
    const wanted = comparable(given);
    return whenKnown(rows, (all) =>
      all.filter((row) => {
        const value = row[field];
        return Array.isArray(value)
          ? value.some((each) => comparable(each) === wanted)
          : comparable(value) === wanted;
      }),
    );
  };
}

function one(name: keyof Datasets): Query {
  return ({ id }, context) => tableOf(context, name).get(id as number);
}

/**
 * Compares texts in lower case, because upper case would equate different letters, such as ß and
 * SS.
 */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
