/** What a shop sells. */

import { declareCollection } from '../declare-collection.js';

export const products = declareCollection({
  name: 'products',
  title: 'Products',
  noun: 'product',
});
