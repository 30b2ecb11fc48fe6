/** People with an address and a job. */

import { declareCollection } from '../declare-collection.js';

export const people = declareCollection({
  name: 'people',
  title: 'People',
  noun: 'person',
});
