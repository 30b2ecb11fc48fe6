/** Users, who have posts, todos and albums. */

import { declareCollection } from '../declare-collection.js';

export const users = declareCollection({
  name: 'users',
  title: 'Users',
  noun: 'user',
});
