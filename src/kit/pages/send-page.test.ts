import { expect, test } from 'vitest';
import { linkToRoot, pathToRoot } from './send-page.js';

test.each([
  ['/', './'],
  ['/graphql', './'],
  ['/graphql?query={a/b}', './'],
  ['/graphql/', '../'],
  ['/bins/xyz', '../'],
  ['/a/b/c?d=/', '../../'],
  ['', './'],
])('from %s the root is %s', (url, root) => {
  expect(pathToRoot(url)).toBe(root);
});

test('links of a page to the root follow the depth of its path', () => {
  const html = '<script src="../assets/a.js"></script><a href="../graphql">../ and "../</a>';
  expect(linkToRoot(html, './')).toBe(
    '<script src="./assets/a.js"></script><a href="./graphql">../ and "../</a>',
  );
  expect(linkToRoot(html, '../../')).toContain('src="../../assets/a.js"');
});
