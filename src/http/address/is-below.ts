/** Returns whether a target is this path or one below it; letter case does not matter. */
export function isBelow(target: string, path: string): boolean {
  const next = target[path.length];
  const isWhole = next === undefined || next === '/' || next === '?' || next === ';';
  return isWhole && target.slice(0, path.length).toLowerCase() === path;
}
