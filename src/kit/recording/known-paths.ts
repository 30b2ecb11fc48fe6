/** Shows paths as far as endpoints declare them: an allow list of segments. */

import { decodePercent } from '#base/text/decode-percent.js';
import { redact, removed, type Shown } from '#base/text/redact.js';
import { parametersIn } from '#http/address/route-path.js';
import type { AnySpec } from '../endpoint.js';
import { isSecretPart } from './harmless-names.js';

/** An endpoint, or a path that the wildcard of one serves. */
interface Known {
  readonly path: string;
  readonly spec: Pick<AnySpec, 'params'>;
}

class Node {
  /** By segment in lower case. */
  readonly literals = new Map<string, Node>();
  parameter: Node | undefined;
  /** Parts that the path may have here. */
  readonly parts: (readonly [names: readonly string[], endpoint: Known])[] = [];
  #isSecret: boolean | undefined;

  /** Whether the segment is a secret. Specs are made on first use, so this asks only when needed. */
  get isSecret(): boolean {
    this.#isSecret ??= this.parts.some(([names, { spec }]) =>
      names.some((name) => isSecretPart(name, spec.params)),
    );
    return this.#isSecret;
  }
}

/** The prefix of a sandbox, which may be repeated. */
const sandboxPrefix = /^(?:\/(?:s|%[57]3)\/[^/]*)+/i;

export class KnownPaths {
  readonly #endpoints: Known[] = [];
  #root: Node | undefined;

  add(endpoints: readonly Known[]): void {
    this.#endpoints.push(...endpoints);
  }

  /**
   * Returns a path without query, up to its last known segment. Secrets and all that follows are
   * replaced by `(removed)`. The name of a sandbox remains.
   */
  show(path: string): Shown {
    this.#root ??= treeOf(this.#endpoints);
    const [prefix = ''] = sandboxPrefix.exec(path) ?? [];
    let nodes: readonly Node[] = [this.#root];
    let shown = prefix;
    for (const segment of path.slice(prefix.length).split('/').slice(1)) {
      if (segment === '') {
        shown += '/';
        continue;
      }
      const literal = decodePercent(segment)?.toLowerCase() ?? segment;
      const literals = nodes.flatMap((node) => node.literals.get(literal) ?? []);
      const parameters = nodes.flatMap((node) => node.parameter ?? []);
      const isShown = literals.length > 0 || parameters.some((each) => !each.isSecret);
      const isSecret = literals.length === 0 && parameters.some((each) => each.isSecret);
      shown += `/${isShown && !isSecret ? segment : removed}`;
      nodes = [...literals, ...parameters];
      if (nodes.length === 0) break;
    }
    return redact(shown);
  }
}

function treeOf(endpoints: readonly Known[]): Node {
  const root = new Node();
  for (const endpoint of endpoints) {
    let node = root;
    for (const segment of endpoint.path.split('/').filter((each) => each !== '')) {
      // Nothing is known of what a wildcard matches.
      if (segment === '*') break;
      node = segment.includes(':')
        ? parameterOf(node, segment, endpoint)
        : literalOf(node, segment);
    }
  }
  return root;
}

function parameterOf(node: Node, segment: string, endpoint: Known): Node {
  node.parameter ??= new Node();
  const names = parametersIn(segment);
  node.parameter.parts.push([names, endpoint]);
  return node.parameter;
}

function literalOf(node: Node, segment: string): Node {
  const key = segment.toLowerCase();
  const known = node.literals.get(key) ?? new Node();
  node.literals.set(key, known);
  return known;
}
