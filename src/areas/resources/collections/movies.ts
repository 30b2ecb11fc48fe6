/** Real films. */

import { declareCollection } from '../declare-collection.js';

export const movies = declareCollection({
  name: 'movies',
  title: 'Movies',
  noun: 'movie',
});
