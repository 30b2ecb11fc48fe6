/** Selects a part of many expensive cases that differ little. */

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readChanges, turnOf } from '../../scripts/tests/changes.js';
import { namesInTurn } from '../../scripts/tests/in-turn.js';
import { seed } from './case-count.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { PRACTICE_DEEP, PRACTICE_WHOLE } = process.env;

/** Whether all are selected: in CI, in the deep run, and where test files are named. */
export const isWhole = PRACTICE_DEEP !== undefined || PRACTICE_WHOLE !== undefined;

const changed = new Set(isWhole ? [] : readChanges().files);

/** Whether a file differs from the base of this run; never where everything is selected. */
export const isChanged = (file: string): boolean => changed.has(file);

/** The third whose turn it is. */
export function everyThird<Case>(cases: readonly Case[]): readonly Case[] {
  return everyNth(cases, 3);
}

/**
 * Selects a part of the cases, and in `n` turns all of them; all at once where everything is selected or the test file has
 * changed. Each test file draws its own order.
 */
export function everyNth<Case>(cases: readonly Case[], n: number): readonly Case[] {
  const file = relative(root, expect.getState().testPath ?? '');
  if (isWhole || isChanged(file)) return cases;
  const places = namesInTurn(file, [...cases.keys()].map(String), n, turnOf(seed));
  return places.flatMap((place) => cases[Number(place)] ?? []);
}
