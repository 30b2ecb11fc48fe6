/** The countries of the world. */

import { declareCollection } from '../declare-collection.js';

export const countries = declareCollection({
  name: 'countries',
  title: 'Countries',
  noun: 'country',
});
