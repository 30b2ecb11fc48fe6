import { describe, expect, test } from 'vitest';
import { OwnRelations, usualFieldNames } from './own-relations.js';

const among = (fields: Readonly<Record<string, readonly string[]>>, suffix = 'Id') =>
  new OwnRelations(Object.keys(fields), { ...usualFieldNames, foreignKeySuffix: suffix }).among(
    new Map(Object.entries(fields)),
  );

test.each([
  ['postId', 'posts'],
  ['categoryId', 'categories'],
  ['personId', 'people'],
  ['childId', 'children'],
  ['boxId', 'boxes'],
  ['heroId', 'heroes'],
  ['blogPostId', 'blogPosts'],
  ['userId', 'Users'],
  ['staffId', 'staff'],
  ['statusId', 'statuses'],
  ['tagIds', 'tags'],
])('%s leads to %s', (field, parents) => {
  expect(among({ [parents]: ['id'], others: ['id', field, 'title'] })).toEqual([
    { children: 'others', field, parents },
  ]);
});

test.each(['Id', 'id', 'postid', 'post_id', 'ghostId', 'constructorId', 'Ids', 'ghostIds'])(
  '%s leads nowhere',
  (field) => {
    expect(among({ posts: ['id'], others: [field] })).toEqual([]);
  },
);

test('another suffix instead of Id', () => {
  expect(among({ posts: [], tags: [], others: ['post_id', 'tag_ids', 'postId'] }, '_id')).toEqual([
    { children: 'others', field: 'post_id', parents: 'posts' },
    { children: 'others', field: 'tag_ids', parents: 'tags' },
  ]);
});

describe('without records', () => {
  const relations = new OwnRelations(['posts', 'Users', 'staff'], usualFieldNames);

  test.each([
    ['post', 'posts'],
    ['user', 'Users'],
    ['User', 'Users'],
    ['staff', 'staff'],
    ['ghost', undefined],
    ['', undefined],
  ])('the word %s means %s', (word, collection) => {
    expect(relations.parentsOf(word)).toBe(collection);
  });

  test('a collection has a word and a field for each of its records', () => {
    expect(relations.wordOf('Users')).toBe('user');
    expect(relations.fieldOf('user')).toBe('userId');
  });
});
