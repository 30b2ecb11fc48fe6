/** Short posts by users. */

import { declareRecord } from '../declare-record.js';
import { count, now, reference, startingAs, tags, text, timestamp } from '../field-types.js';

export const posts = declareRecord('Post', {
  userId: reference({ of: 'users', childrenAs: 'posts' }, 'The user who wrote it.'),
  title: text(200),
  body: text(10_000),
  tags: tags(),
  publishedAt: startingAs(now, timestamp({ description: 'Default: now.' })),
  likes: count({ default: 0 }),
});
