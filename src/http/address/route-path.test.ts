import { expect, test } from 'vitest';
import { parametersIn, routeTemplate, writeRoute } from './route-path.js';

test.each([
  ['/a/b', '/a/b', []],
  ['/models/:model', '/models/{model}', ['model']],
  ['/models/:model::generateContent', '/models/{model}:generateContent', ['model']],
  ['/s/:from/:to', '/s/{from}/{to}', ['from', 'to']],
])('%s', (path, template, names) => {
  expect(routeTemplate(path)).toBe(template);
  expect(parametersIn(path)).toEqual(names);
  expect(writeRoute(path, () => 'x')).toBe(template.replaceAll(/\{\w+\}/g, 'x'));
});
