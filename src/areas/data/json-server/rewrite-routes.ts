/** Rewrites the targets of requests before routing, by the rules of a `routes.json`. */

import { isObject } from '#base/json-object.js';
import { isBelow } from '#http/address/target.js';

export interface RouteRule {
  readonly from: string;
  readonly to: string;
}

const maxRules = 100;
const maxRuleLength = 500;
/** More stars could take long for a long target. */
const maxStars = 2;
/** Longer targets are not rewritten. */
const maxTargetLength = 2000;

/** Throws an `Error` that says what a `routes.json` must be. */
export function readRules(given: unknown): readonly RouteRule[] {
  if (!isObject(given)) throw new Error('must be an object with paths as names and values');
  const rules = Object.entries(given).map(([from, to]) => ({ from, to: String(to) }));
  if (rules.length > maxRules) throw new Error(`must have at most ${maxRules} rules`);
  for (const { from, to } of rules) {
    if (!from.startsWith('/') || !to.startsWith('/')) {
      throw new Error(`must have paths that begin with a slash; got ${from}`);
    }
    if (from.length > maxRuleLength || to.length > maxRuleLength) {
      throw new Error(`must have paths of at most ${maxRuleLength} characters`);
    }
    if (from.split('*').length > maxStars + 1) {
      throw new Error(`must have at most ${maxStars} stars in a path; got ${from}`);
    }
    compileRule({ from, to });
  }
  return rules;
}

/** Returns a function that rewrites targets below a prefix, rule by rule, in order. */
export function routeRewriter(rules: readonly RouteRule[], prefix: string) {
  const compiled = rules.map(compileRule);
  return (target: string): string => {
    if (!isBelow(target, prefix) || target.length > maxTargetLength) return target;
    const rest = target.slice(prefix.length);
    const rewritten = compiled.reduce((path, apply) => apply(path), rest);
    if (rewritten === rest) return target;
    return prefix + (/^\/(?:\?|$)/.test(rewritten) ? nowhere : rewritten);
  };
}

/** A rule cannot lead to the root, where json-server has only its home page: this path has too many names. */
const nowhere = '/-/-/-/-';

/** An escaped character, a parameter such as `:id` or `:id(\\d+)` with a slash before it, or a star. */
const token = /\\(.)|(\/)?(?::(\w+)(?:\(((?:\\.|[^\\()])+)\))?(\?)?)|\*/g;

function compileRule({ from, to }: RouteRule): (target: string) => string {
  const names: string[] = [];
  let pattern = '';
  let last = 0;
  for (const found of from.matchAll(token)) {
    pattern += escaped(from.slice(last, found.index));
    last = found.index + found[0].length;
    const [whole, literal, slash = '', name, custom = '[^/]+?', optional] = found;
    if (literal !== undefined) pattern += escaped(literal);
    else if (whole === '*') {
      pattern += '(.*)';
      names.push(String(names.length));
    } else {
      names.push(name ?? '');
      pattern += optional === undefined ? `${slash}(${custom})` : `(?:${slash}(${custom}))?`;
    }
  }
  const form = new RegExp(`^${pattern}${escaped(from.slice(last))}/?$`, 'i');
  return (target) => {
    const match = form.exec(target);
    if (match === null) return target;
    return to.replace(/\$(\d+)|:(\w+)/g, (_whole, number: string, name: string) => {
      const index = number === undefined ? names.indexOf(name) + 1 : Number(number);
      return (index > 0 ? match[index] : undefined) ?? '';
    });
  };
}

function escaped(text: string): string {
  return text.replace(/[.+*?=^!:${}()[\]|\\]/g, '\\$&');
}
