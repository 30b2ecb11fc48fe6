/** Suggests known paths that an unknown path is a beginning, an end, or a longer form of. */

import { routeTemplate } from '#http/address/route-path.js';

const maxLength = 200;
const maxSuggestions = 3;
const maxInserted = 3;
/** Levels below a beginning that are searched. */
const maxCompleted = 4;
const maxSegments = 12;

/** A first segment that says nothing about the path. */
const usualStart = 'api';

interface Node {
  /** The declared segment, with the name of a parameter in braces. */
  readonly segment: string;
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  isPath: boolean;
}

/** A path that was found, and its literal segments that the caller sent. */
interface Walk {
  readonly node: Node;
  readonly path: string;
  readonly literals: number;
}

const newNode = (segment: string): Node => ({
  segment,
  literals: new Map(),
  parameter: undefined,
  isPath: false,
});

export interface RelatedPaths {
  /** Known paths that begin with the path; with `isLiteral`, without a segment for a parameter. */
  readonly below: (path: string, isLiteral?: boolean) => readonly string[];
  /** Known paths that have a few segments more at one place. */
  readonly withMore: (path: string) => readonly string[];
  /** Known paths that lack one of the segments. */
  readonly withLess: (path: string) => readonly string[];
}

/**
 * `patterns` are in the syntax of routes. Segments match in any letter case. `apart` are first segments that no caller
 * omits by mistake.
 */
export function relatedPaths(
  patterns: Iterable<string>,
  apart: readonly string[] = [],
): RelatedPaths {
  const root = newNode('');
  for (const pattern of [...patterns].sort()) addPattern(root, pattern);

  function below(path: string, isLiteral = false): readonly string[] {
    const walks = isTooLong(path) ? [] : walk(start(root), splitPath(path));
    const known = walks.filter(
      ({ literals }) => literals > 0 && (!isLiteral || literals === meaningful(splitPath(path))),
    );
    return known.flatMap(completions).slice(0, maxSuggestions);
  }

  function withMore(path: string): readonly string[] {
    const own = isTooLong(path) ? [] : splitPath(path);
    for (let inserted = 1; inserted <= maxInserted; inserted++) {
      const found = own.flatMap((segment, index) =>
        walk(start(root), own.slice(0, index))
          .flatMap((walked) => descend(walked, inserted))
          .filter((walked) => index > 0 || !isApart(walked.path))
          .filter(({ node }) => node.literals.has(segment.toLowerCase()))
          .flatMap((walked) => walk({ ...walked, literals: 0 }, own.slice(index))),
      );
      const paths = pathsOf(found);
      if (paths.length > 0) return paths;
    }
    return [];
  }

  const isApart = (path: string) => apart.includes(splitPath(path)[0] ?? '');

  function withLess(path: string): readonly string[] {
    const own = isTooLong(path) ? [] : splitPath(path);
    return pathsOf(own.flatMap((_segment, index) => walk(start(root), own.toSpliced(index, 1))));
  }

  return { below, withMore, withLess };
}

const isTooLong = (path: string) => path.length > maxLength || splitPath(path).length > maxSegments;

const start = (node: Node): Walk => ({ node, path: '', literals: 0 });

function addPattern(root: Node, pattern: string): void {
  let node = root;
  for (const segment of splitPath(pattern)) {
    if (segment === '*') break;
    node = childFor(node, segment);
  }
  node.isPath = true;
}

function childFor(node: Node, segment: string): Node {
  const shown = routeTemplate(segment);
  if (shown !== segment) {
    node.parameter ??= newNode(shown);
    return node.parameter;
  }
  const key = segment.toLowerCase();
  const known = node.literals.get(key) ?? newNode(shown);
  node.literals.set(key, known);
  return known;
}

/** Follows segments of the caller. A literal segment hides a parameter, as in the router. */
function walk(from: Walk, segments: readonly string[]): readonly Walk[] {
  let walked = from;
  for (const segment of segments) {
    const { node, path, literals } = walked;
    const literal = node.literals.get(segment.toLowerCase());
    if (literal !== undefined) {
      const more = literal.segment === usualStart ? 0 : 1;
      walked = { node: literal, path: `${path}/${literal.segment}`, literals: literals + more };
    } else if (node.parameter !== undefined) {
      walked = { node: node.parameter, path: `${path}/${segment}`, literals };
    } else {
      return [];
    }
  }
  return [walked];
}

const meaningful = (segments: readonly string[]) =>
  segments.filter((each) => each.toLowerCase() !== usualStart).length;

/** Adds literal segments that the caller left out. */
function descend({ node, path, literals }: Walk, count: number): readonly Walk[] {
  if (count === 0) return [{ node, path, literals }];
  return [...node.literals.values()].flatMap((child) =>
    descend({ node: child, path: `${path}/${child.segment}`, literals }, count - 1),
  );
}

/** Returns the paths below a beginning, the shortest first. */
function completions({ node, path }: Walk): readonly string[] {
  const found: string[] = [];
  let level = [{ node, path }];
  for (let depth = 0; depth < maxCompleted && found.length < maxSuggestions; depth++) {
    level = level.flatMap((each) =>
      childrenOf(each.node).map((child) => ({
        node: child,
        path: `${each.path}/${child.segment}`,
      })),
    );
    found.push(...level.filter((each) => each.node.isPath).map((each) => each.path));
  }
  return found;
}

function childrenOf({ literals, parameter }: Node): readonly Node[] {
  return [...literals.values(), ...(parameter === undefined ? [] : [parameter])];
}

function pathsOf(walks: readonly Walk[]): readonly string[] {
  const ends = walks.filter(({ node, literals }) => node.isPath && literals > 0);
  return [...new Set(ends.map(({ path }) => path))].slice(0, maxSuggestions);
}

function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
