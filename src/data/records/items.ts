/** Items of the pagination styles; GraphQL does not have them. */

import { declareRecord } from '../declare-record.js';
import { money, text, timestamp } from '../field-types.js';

export const items = declareRecord('Item', {
  name: text(120),
  category: text(60),
  price: money(),
  /** Later than the createdAt of the previous item. */
  createdAt: timestamp({ description: 'ISO 8601 in UTC.' }),
});
