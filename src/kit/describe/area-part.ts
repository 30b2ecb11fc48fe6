import { isBelow } from '#http/address/target.js';
import type { Area, AreaPart } from '../area.js';

/** Finds the part of an area that has the endpoints at a path. */
export function partAt({ front: { parts = [] } }: Area, path: string): AreaPart | undefined {
  return parts.find((part) => isBelow(path, part.path.toLowerCase()));
}

/** Returns whether the front page lists the endpoints at a path, because no part stands for them. */
export function isListed(area: Area, path: string): boolean {
  return partAt(area, path)?.isAlike !== true;
}
