/** What a shop sells. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { count, decimalNumber, money, picture, text, timestamp } from '../field-types.js';

export const products = declareRecord('Product', {
  title: text(200),
  price: money(),
  description: text(2000),
  category: text(60),
  image: picture('products'),
  rating: Type.Object(
    {
      rate: decimalNumber({ minimum: 0, maximum: 5, description: 'Mean of all votes.' }),
      count: count({ description: 'How many people voted.' }),
    },
    { title: 'Rating' },
  ),
  inStock: Type.Boolean(),
  createdAt: timestamp(),
});
