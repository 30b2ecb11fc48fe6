import { expect, test } from 'vitest';
import { parsePrefer, writeApplied } from './parse-prefer.js';

test.each([
  ['no header', undefined, {}],
  ['an empty header', '', {}],
  ['one preference', 'return=minimal', { return: 'minimal' }],
  ['several', 'respond-async, wait=10', { respondAsync: true, waitSeconds: 10 }],
  [
    'all of them',
    'return=representation, handling=lenient, respond-async, wait=0',
    { return: 'representation', handling: 'lenient', respondAsync: true, waitSeconds: 0 },
  ],
  ['names in any case', 'RETURN=minimal, Respond-Async', { return: 'minimal', respondAsync: true }],
  ['values in their own case only', 'return=Minimal', {}],
  ['a value in quotes', 'handling="strict"', { handling: 'strict' }],
  ['an escape in quotes', 'handling="st\\rict"', { handling: 'strict' }],
  ['white space around the sign', 'return \t= minimal', { return: 'minimal' }],
  ['an empty value, which is none', 'respond-async=""', { respondAsync: true }],
  ['an empty value without quotes', 'respond-async=', { respondAsync: true }],
  [
    'parameters',
    'handling=strict; why=because, return=minimal ;x',
    { handling: 'strict', return: 'minimal' },
  ],
  ['the first of two', 'return=minimal, return=representation', { return: 'minimal' }],
  ['the first of two, although it is unknown', 'return=short, return=minimal', {}],
  ['commas in a text of another', 'foo="a, return=minimal, b", wait=3', { waitSeconds: 3 }],
  ['what nobody knows', 'depth-noroot, foo; bar', {}],
  ['an asynchronous answer of some value', 'respond-async=yes', {}],
  ['a time that is none', 'wait=soon', {}],
  ['a time below zero', 'wait=-1', {}],
  ['a fraction of a second', 'wait=1.5', {}],
  ['a time beyond all numbers', 'wait=99999999999999999999', {}],
  ['an open quote', 'return="minimal', {}],
  ['nothing between commas', ',,return=minimal,,', { return: 'minimal' }],
  ['names of prototypes', '__proto__=x, constructor, return=minimal', { return: 'minimal' }],
])('%s', (_name, header, expected) => {
  expect(parsePrefer(header)).toEqual(expected);
});

test('only the beginning of a very long header is read', () => {
  expect(parsePrefer(`${'a,'.repeat(50_000)}return=minimal`)).toEqual({});
  expect(parsePrefer(`${'"'.repeat(50_000)}`)).toEqual({});
});

test.each([
  [{}, undefined],
  [{ return: 'minimal' }, 'return=minimal'],
  [
    { waitSeconds: 3, respondAsync: true, handling: 'strict' },
    'respond-async, wait=3, handling=strict',
  ],
] as const)('applied preferences are written: %j', (applied, expected) => {
  expect(writeApplied(applied)).toBe(expected);
});
