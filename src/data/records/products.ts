/** Products of a shop. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import {
  count,
  decimalNumber,
  money,
  now,
  picture,
  startingAs,
  text,
  timestamp,
} from '../field-types.js';

export const products = declareRecord('Product', {
  title: text(200),
  price: money(),
  description: text(2000, { default: 'To be described' }),
  category: text(60, { default: 'Other' }),
  image: picture('products'),
  rating: Type.Object(
    {
      rate: decimalNumber({ minimum: 0, maximum: 5, description: 'Mean of all ratings.' }),
      count: count({ description: 'Number of ratings.' }),
    },
    { title: 'Rating', default: { rate: 0, count: 0 } },
  ),
  inStock: Type.Boolean({ default: true }),
  createdAt: startingAs(now, timestamp({ description: 'Default: now.' })),
});
