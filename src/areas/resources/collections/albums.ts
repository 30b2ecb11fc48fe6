/** Albums of users. */

import { declareCollection } from '../declare-collection.js';

export const albums = declareCollection({
  name: 'albums',
  title: 'Albums',
  noun: 'album',
  parents: [{ field: 'userId', of: 'users', parentAs: 'user', childrenAs: 'albums' }],
});
