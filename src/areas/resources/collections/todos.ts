/** What users have to do. */

import { declareCollection } from '../declare-collection.js';

export const todos = declareCollection({
  name: 'todos',
  title: 'Todos',
  noun: 'todo',
  parents: [{ field: 'userId', of: 'users', parentAs: 'user', childrenAs: 'todos' }],
});
