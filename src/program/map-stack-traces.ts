/** Stack traces that name source files, although the program runs from a few bundled files. */

import { readFileSync } from 'node:fs';

const builtPlace = /((?:file:\/\/)?\/\S+\.cjs):(\d+):\d+(?=\)?$)/;

/** Written by scripts/bundle-service.js. All lines count from 0. */
interface Lines {
  readonly sources: readonly string[];
  /** Runs of consecutive lines that come from consecutive lines of one source: each as its difference from the last. */
  readonly steps: readonly (readonly [line: number, source: number, sourceLine: number])[];
}

type LinesOfFiles = Map<string, Lines | undefined>;

/**
 * Applies to the whole process, so only the program calls it. The lines of a file are read for the first trace that
 * needs them.
 */
export function mapStackTraces(): void {
  const known: LinesOfFiles = new Map();
  Error.prepareStackTrace = (error, frames) => {
    const places = frames.map((frame) => {
      const shown = String(frame).replace(
        builtPlace,
        (place, file, line) => sourcePlace(known, file, Number(line)) ?? place,
      );
      return `\n    at ${shown}`;
    });
    return `${Error.prototype.toString.call(error)}${places.join('')}`;
  };
}

function sourcePlace(known: LinesOfFiles, path: string, line: number): string | undefined {
  if (!known.has(path)) known.set(path, readLines(path));
  const lines = known.get(path);
  if (lines === undefined) return undefined;
  let [from, source, sourceFrom] = [0, 0, 0];
  for (const [lineStep, sourceStep, sourceLineStep] of lines.steps) {
    if (from + lineStep >= line) break;
    from += lineStep;
    source += sourceStep;
    sourceFrom += sourceLineStep;
  }
  return `${new URL(lines.sources[source] ?? '', urlOf(path))}:${sourceFrom + line - from}`;
}

/** Returns `undefined` for files without lines. */
function readLines(path: string): Lines | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${urlOf(path)}.lines.json`), 'utf8'));
  } catch {
    return undefined;
  }
}

const urlOf = (path: string) => new URL(path, 'file:').href;
