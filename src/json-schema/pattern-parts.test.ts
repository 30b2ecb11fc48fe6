import { expect, test } from 'vitest';
import { patternParts, sizeOfPattern } from './pattern-parts.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['a{2,5}', 5],
  ['(ab){10}', 40],
  ['((a{20}){20}){2}', 884],
  ['[a-z\\]]{4}', 4],
  ['\\p{L}{3}', 3],
  ['a\\{3}', 4],
  ['(((', 0],
  ['a{99999999}', 10],
])('%s needs about %i instructions', (pattern, instructions) => {
  expect(sizeOfPattern(pattern).instructions).toBe(instructions);
});

test.each([
  ['\\p{L}{3}', 1, 3],
  ['[^\\p{Lu}a]', 1, 1],
  ['[\\p{L}\\P{N}]{1,80}', 2, 160],
  [`[${'\\p{L}'.repeat(150)}]`, 150, 152],
  ['(?:\\p{L}|\\p{N}){10}', 2, 40],
  ['\\\\p{L}', 0, 0],
  ['[\\\\p{L}]', 0, 0],
])('%s has %i Unicode classes to parse and about %i to compile', (pattern, classes, compiled) => {
  const size = sizeOfPattern(pattern);
  expect(size.classes).toBe(classes);
  expect(size.compiledClasses).toBe(compiled);
});

test.each([
  ['[a-z]', 25],
  ['[B-\\u{1E942}]', 125_184],
  ['[B-\u{1e942}x-z]', 125_186],
  ['[\\x42-\\u0402]', 960],
  ['[A-\u{1e943}]', 0],
  ['[\u{1f000}-\u{1ffff}]', 0],
  ['[^\u4e00-\u9fa5]{9}', 20_901],
  ['a-z', 0],
])('%s folds %i characters', (pattern, characters) => {
  expect(sizeOfPattern(pattern).foldedCharacters).toBe(0);
  expect(sizeOfPattern(pattern, true).foldedCharacters).toBe(characters);
});

test('a flag inside of a pattern folds as well', () => {
  expect(sizeOfPattern('(?i:[a-z])').foldedCharacters).toBe(25);
});

test('a pattern costs more with each class, each repetition of a class, and each folded range', () => {
  const parts = [
    patternParts('a'),
    patternParts('\\p{L}'),
    patternParts('\\p{L}', true),
    patternParts('[\\p{L}\\p{M}]'),
    patternParts('\\p{L}{80}'),
    patternParts('[B-\\u{1E942}]', true),
    patternParts(`[${'\\p{L}'.repeat(150)}]`),
  ];
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(new Set(parts).size).toBe(parts.length);
});
