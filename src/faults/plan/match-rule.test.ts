import { describe, expect, test } from 'vitest';
import { completePlan, type Match } from './fault-plan.js';
import { type Attempted, findRule, pathFault } from './match-rule.js';

function planOf(...matches: Match[]) {
  return completePlan({ rules: matches.map((match) => ({ match, sequence: [{}] })) }, 1, 1);
}

const get = (path: string, headers: Attempted['headers'] = {}) => ({
  method: 'GET',
  path,
  headers,
});

describe('a path', () => {
  test.each([
    ['/api/Books', '/api/Books', true],
    ['/api/Books', '/api/books', true],
    ['/API/Books', '/api/books', true],
    ['/api/Books', '/api/Books/', true],
    ['/api/Books/', '/api/Books', true],
    ['/api/Books', '/api/Books/1', false],
    ['/api/Books/:id', '/api/Books/1', true],
    ['/api/Books/:id', '/api/Books', false],
    ['/api/Books/:id', '/api/Books/', false],
    ['/api/Books/:id', '/api/Books/1/x', false],
    ['/api/*', '/api/Books/1', true],
    ['/api/*', '/api/Books', true],
    ['/api/*', '/api', false],
    ['/api/*', '/graphql', false],
    ['*', '/graphql', true],
    ['/*', '/graphql', true],
    ['/api/Books/1', '/api/Books/%31', true],
    ['/api/%42ooks/1', '/api/Books/1', true],
    ['/api/Books/%zz', '/api/Books/%zz', true],
    ['/api/constructor', '/api/__proto__', false],
  ])('%s matches %s: %s', (path, sent, isMet) => {
    expect(findRule(planOf({ path }), get(sent))).toBe(isMet ? 0 : -1);
  });

  test.each([
    ['/api/Books/:id', undefined],
    ['*', undefined],
    ['/', undefined],
    ['/api/*', undefined],
    ['api/Books', /begins with a slash/],
    ['', /begins with a slash/],
    ['http://localhost/api', /begins with a slash/],
    ['/api/Books?q=1', /without the query/],
    ['/api/:id(\\d+)', /regular expressions are not supported/],
    ['/api/(.*)', /regular expressions are not supported/],
    ['/api/*/x', /\* must be the whole last segment/],
    ['/api/a*', /\* must be the whole last segment/],
    ['/api/:', /must be a whole segment/],
    ['/api/:a-:b', /must be a whole segment/],
    ['/api/x:a', /must be a whole segment/],
    ['/api/:id?', /without the query/],
  ])('%j has the fault %s', (path, fault) => {
    if (fault === undefined) expect(pathFault(path)).toBeUndefined();
    else expect(pathFault(path)).toMatch(fault);
  });
});

test.each([
  ['any request', {}, get('/x'), true],
  ['a method, in any case', { method: 'get' }, get('/x'), true],
  ['another method', { method: 'POST' }, get('/x'), false],
  ['HEAD, which is not GET', { method: 'GET' }, { ...get('/x'), method: 'HEAD' }, false],
  ['a header, its name in any case', { header: { 'X-A': '1' } }, get('/x', { 'x-a': '1' }), true],
  ['a header of another value', { header: { 'X-A': '1' } }, get('/x', { 'x-a': '1, 1' }), false],
  ['a header in part', { header: { a: '1', b: '2' } }, get('/x', { a: '1' }), false],
  ['a header that every object has', { header: { constructor: 'x' } }, get('/x'), false],
])('a rule for %s', (_name, match, request, isMet) => {
  expect(findRule(planOf(match), request)).toBe(isMet ? 0 : -1);
});

test('the first matching rule applies', () => {
  const plan = planOf({ path: '/a' }, { path: '/:any' }, { path: '/b' });
  expect(['/a', '/b', '/c/d'].map((path) => findRule(plan, get(path)))).toEqual([0, 1, -1]);
});

test('rules without a name are named by their position', () => {
  const sequence = [{}];
  const { rules } = completePlan(
    { rules: [{ sequence }, { name: 'x', sequence }, { sequence }] },
    1,
    1,
  );
  expect(rules.map(({ name }) => name)).toEqual(['rule-1', 'x', 'rule-3']);
});
