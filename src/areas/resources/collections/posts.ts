/** Posts that users wrote. */

import { declareCollection } from '../declare-collection.js';

export const posts = declareCollection({
  name: 'posts',
  title: 'Posts',
  noun: 'post',
  parents: [{ field: 'userId', of: 'users', parentAs: 'user', childrenAs: 'posts' }],
});
