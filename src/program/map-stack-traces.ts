/** Stack traces that name source files, although the program runs from a few bundled files. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const builtPlace = /((?:file:\/\/)?\/\S+\.cjs):(\d+):(\d+)(?=\)?$)/;

type Maps = Map<string, SourceMap | undefined>;

/**
 * Applies to the whole process, so only the program calls it; embedding programs choose
 * `--enable-source-maps` themselves. That option reads every map at the start; here a map is read
 * for the first trace that needs it.
 */
export function mapStackTraces(): void {
  const maps: Maps = new Map();
  Error.prepareStackTrace = (error, frames) => {
    const places = frames.map((frame) => {
      const shown = String(frame).replace(builtPlace, (place, file, line, column) =>
        sourcePlace(maps, place, file, Number(line), Number(column)),
      );
      return `\n    at ${shown}`;
    });
    return `${Error.prototype.toString.call(error)}${places.join('')}`;
  };
}

function sourcePlace(
  maps: Maps,
  place: string,
  file: string,
  line: number,
  column: number,
): string {
  const entry = mapOf(maps, file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return place;
  const { href } = new URL(entry.originalSource, file);
  return `${href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(maps: Maps, file: string): SourceMap | undefined {
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
