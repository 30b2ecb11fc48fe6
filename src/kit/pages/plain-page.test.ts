import { expect, test } from 'vitest';
import { policyFor } from './plain-page.js';

test.each([
  ['http://localhost:80/cb?a#b', "form-action 'self' http://localhost;"],
  ['https://user:pw@a.example:8443/cb', "form-action 'self' https://a.example:8443;"],
  ['com.example.app:/cb', "form-action 'self' com.example.app:;"],
  ['https://a;script-src/cb', "form-action 'self';"],
  ['https://a,b/cb', "form-action 'self';"],
  ['http://localhost:99999/cb', "form-action 'self';"],
  ['blob:https://a;b/', "form-action 'self';"],
  ['ftp://a.example/', "form-action 'self';"],
])('the policy contains the form target %s as an origin or a scheme', (formTarget, expected) => {
  expect(policyFor({ formTarget })).toContain(`; ${expected}`);
  expect(policyFor({ formTarget })).not.toContain('script-src');
});

test('the policy contains frames as origins, each once', () => {
  const frames = ['https://a.example/x', 'https://a.example/y', 'https://b;c/'];
  expect(policyFor({ frames })).toContain('; frame-src https://a.example; ');
  expect(policyFor({ frames: ['https://b;c/'] })).not.toContain('frame-src');
});
