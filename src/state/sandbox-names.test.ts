import { expect, test } from 'vitest';
import { givenNameOf, ownedSandboxName, ownerOf, permanentSandboxes } from './state.js';

test.each([
  ['o1', ''],
  ['o1', 'mine'],
  ['o1', '..'],
])('the sandbox of %s with the name %j has both names', (owner, given) => {
  const name = ownedSandboxName(owner, given);
  expect([ownerOf(name), givenNameOf(name)]).toEqual([owner, given]);
});

test.each([...permanentSandboxes, 'mine', 'a.b'])('the sandbox %j has no owner', (name) => {
  expect([ownerOf(name), givenNameOf(name)]).toEqual([undefined, name]);
});
