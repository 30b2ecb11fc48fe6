/** What each field of Query reads. Lists come in ascending order of id. */

import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import type { Datasets } from '../../../data/records.js';
import { type RequestContext, tableOf } from './request-context.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** A list of records, or one record, or `undefined` when there is none. */
export type Query = (
  args: Arguments,
  context: RequestContext,
) => Awaitable<readonly object[] | object | undefined>;

export const queries: Readonly<Record<string, Query>> = {
  users: list('users'),
  user: one('users'),
  products: list(
    'products',
    sameText('category', (product) => [product.category]),
  ),
  product: one('products'),
  posts: list(
    'posts',
    sameValue('userId', (post) => post.userId),
  ),
  post: one('posts'),
  todos: list(
    'todos',
    sameValue('completed', (todo) => todo.completed),
  ),
  employees: list(
    'employees',
    sameText('department', (employee) => [employee.department]),
  ),
  employee: one('employees'),
  companies: list('companies'),
  books: list(
    'books',
    sameText('genre', (book) => [book.genre]),
  ),
  book: one('books'),
  movies: list(
    'movies',
    sameText('genre', (movie) => movie.genres),
  ),
  movie: one('movies'),
  countries: list(
    'countries',
    sameText('region', (country) => [country.region]),
  ),
  country: ({ code }, context) => {
    // Only ASCII: other letters turn into these when capitalized, such as the ligature fi.
    if (!/^[A-Za-z]{2,3}$/.test(code as string)) return undefined;
    const wanted = (code as string).toUpperCase();
    return whenKnown(tableOf(context, 'countries').list(), (countries) =>
      countries.find((country) => country.code === wanted || country.code3 === wanted),
    );
  },
  people: list('people'),
  events: list(
    'events',
    sameText('category', (event) => [event.category]),
  ),
  albums: list(
    'albums',
    sameValue('userId', (album) => album.userId),
  ),
  photos: list(
    'photos',
    sameValue('albumId', (photo) => photo.albumId),
  ),
};

/** Which rows the arguments ask for; `undefined` for all of them. */
type Filter<Row> = (args: Arguments) => ((row: Row) => boolean) | undefined;

function list<Name extends keyof Datasets>(
  name: Name,
  filter: Filter<Datasets[Name][number]> = () => undefined,
): Query {
  return (args, context) => {
    const rows = tableOf(context, name).list();
    const isWanted = filter(args);
    return isWanted === undefined ? rows : whenKnown(rows, (all) => all.filter(isWanted));
  };
}

function one(name: keyof Datasets): Query {
  return ({ id }, context) => tableOf(context, name).get(id as number);
}

/**
 * Any of the row's texts is the argument's, whatever the case; null means no filter. Compared in small
 * letters, because capitals make one of different letters, such as SS of ß.
 */
function sameText<Row>(argument: string, textsOf: (row: Row) => readonly string[]): Filter<Row> {
  return (args) => {
    const given = args[argument];
    if (typeof given !== 'string') return undefined;
    const wanted = given.toLowerCase();
    return (row) => textsOf(row).some((text) => text.toLowerCase() === wanted);
  };
}

/** The row's value is the argument's; null means no filter. */
function sameValue<Row>(argument: string, fieldOf: (row: Row) => unknown): Filter<Row> {
  return (args) => {
    const wanted = args[argument];
    if (wanted === undefined || wanted === null) return undefined;
    return (row) => fieldOf(row) === wanted;
  };
}
