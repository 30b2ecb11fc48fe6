/** What the pagination styles page through; GraphQL does not show it. */

import { declareRecord } from '../declare-record.js';
import { money, text, timestamp } from '../field-types.js';

export const items = declareRecord('Item', {
  name: text(120),
  category: text(60),
  price: money(),
  /** Later than that of the item before. */
  createdAt: timestamp({ description: 'ISO 8601 in UTC.' }),
});
