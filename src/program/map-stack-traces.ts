/** Stack traces that name source files, although the program runs from a few bundled files. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const builtPlace = /((?:file:\/\/)?\/\S+\.cjs):(\d+):(\d+)(?=\)?$)/;
const maps = new Map<string, SourceMap | undefined>();

/**
 * Applies to the whole process, so only the program calls it; embedding programs choose
 * `--enable-source-maps` themselves. That option reads every map at the start; here a map is read
 * for the first trace that needs it.
 */
export function mapStackTraces(): void {
  Error.prepareStackTrace = (error, frames) => {
    const places = frames.map(
      (frame) => `\n    at ${String(frame).replace(builtPlace, sourcePlace)}`,
    );
    return `${Error.prototype.toString.call(error)}${places.join('')}`;
  };
}

function sourcePlace(place: string, file: string, line: string, column: string): string {
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return place;
  const { href } = new URL(entry.originalSource, file);
  return `${href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Returns `undefined` for files without a map. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
