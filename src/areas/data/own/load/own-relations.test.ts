import { expect, test } from 'vitest';
import { ownRelations } from './own-relations.js';

test.each([
  ['postId', 'posts', 'post'],
  ['categoryId', 'categories', 'category'],
  ['personId', 'people', 'person'],
  ['childId', 'children', 'child'],
  ['boxId', 'boxes', 'box'],
  ['heroId', 'heroes', 'hero'],
  ['blogPostId', 'blogPosts', 'blogPost'],
  ['userId', 'Users', 'user'],
  ['staffId', 'staff', 'staff'],
  ['statusId', 'statuses', 'status'],
])('%s leads to %s', (field, parents, parent) => {
  const fields = new Map([
    [parents, ['id']],
    ['others', ['id', field, 'title']],
  ]);
  expect(ownRelations(fields)).toEqual([{ children: 'others', field, parents, parent }]);
});

test.each(['Id', 'id', 'postid', 'post_id', 'ghostId', 'constructorId'])(
  '%s leads nowhere',
  (field) => {
    const fields = new Map([
      ['posts', ['id']],
      ['others', [field]],
    ]);
    expect(ownRelations(fields)).toEqual([]);
  },
);
