/** THE list of REST collections. One more is a file in `collections/`, and its name here. */

import { albums } from './collections/albums.js';
import { books } from './collections/books.js';
import { companies } from './collections/companies.js';
import { countries } from './collections/countries.js';
import { employees } from './collections/employees.js';
import { events } from './collections/events.js';
import { movies } from './collections/movies.js';
import { people } from './collections/people.js';
import { photos } from './collections/photos.js';
import { posts } from './collections/posts.js';
import { products } from './collections/products.js';
import { todos } from './collections/todos.js';
import { users } from './collections/users.js';
import type { DeclaredCollection } from './declare-collection.js';

export const collections: readonly DeclaredCollection[] = [
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
];
