/** What a shop sells. */

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
      rate: decimalNumber({ minimum: 0, maximum: 5, description: 'Mean of all votes.' }),
      count: count({ description: 'How many people voted.' }),
    },
    { title: 'Rating', default: { rate: 0, count: 0 } },
  ),
  inStock: Type.Boolean({ default: true }),
  createdAt: startingAs(now, timestamp({ description: 'Now without a word about it.' })),
});
