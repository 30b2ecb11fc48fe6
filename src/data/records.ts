/**
 * Lists every dataset with the declaration of its records. Money is in US dollars with at most two
 * decimals. Image paths begin at the root of this service (`/images/products/1.svg`); responses
 * make them absolute.
 */

import type { RecordOf } from './declare-record.js';
import { albums } from './records/albums.js';
import { books } from './records/books.js';
import { companies } from './records/companies.js';
import { countries } from './records/countries.js';
import { employees } from './records/employees.js';
import { events } from './records/events.js';
import { items } from './records/items.js';
import { movies } from './records/movies.js';
import { people } from './records/people.js';
import { photos } from './records/photos.js';
import { posts } from './records/posts.js';
import { products } from './records/products.js';
import { todos } from './records/todos.js';
import { users } from './records/users.js';

/** By the name of the dataset, which is also the name of its file in `data/`. */
export const declarations = {
  users,
  products,
  posts,
  todos,
  employees,
  companies,
  books,
  movies,
  countries,
  people,
  events,
  albums,
  photos,
  items,
} as const;

export type DatasetName = keyof typeof declarations;

export const datasetNames = Object.keys(declarations) as readonly DatasetName[];

export type CollectionName = Exclude<DatasetName, 'items'>;

/** Datasets of GraphQL and REST: all but the items of the pagination styles. */
export const collectionNames = datasetNames.filter(
  (name) => name !== 'items',
) as readonly CollectionName[];

/** Every dataset in order of id, from 1 without a gap. */
export type Datasets = {
  readonly [Name in DatasetName]: readonly RecordOf<(typeof declarations)[Name]>[];
};

export type Product = RecordOf<typeof products>;
export type Book = RecordOf<typeof books>;
export type Movie = RecordOf<typeof movies>;
export type Country = RecordOf<typeof countries>;
export type Person = RecordOf<typeof people>;
export type Event = RecordOf<typeof events>;
export type Photo = RecordOf<typeof photos>;
export type Item = RecordOf<typeof items>;
