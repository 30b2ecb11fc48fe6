/** Finds the places of a source where a careless change is possible, each with the changed text. */

import { STATUS_CODES } from 'node:http';
import { parseSync } from 'rolldown/utils';

/**
 * @typedef {{type: string, start: number, end: number} & Record<string, any>} Node A node of ESTree
 *
 * @typedef {object} Edit
 * @property {number} start
 * @property {number} end
 * @property {string} text Replaces what is in between
 *
 * @typedef {object} Mutant
 * @property {string} file Its path from the root
 * @property {string} kind
 * @property {number} line
 * @property {string} from The changed lines, with single spaces
 * @property {string} to What they become
 * @property {Edit} edit
 *
 * @typedef {(node: Node, parents: readonly Node[], source: string) => readonly Edit[]} Mutator
 */

/** @type {Readonly<Record<string, string>>} */
const otherBound = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
/** @type {Readonly<Record<string, string>>} */
const otherCondition = { '===': '!==', '!==': '===', '&&': '||', '||': '&&' };
/** @type {Readonly<Record<string, string>>} */
const otherSign = { '+': '-', '-': '+', '*': '/', '/': '*', '+=': '-=', '-=': '+=' };
/** @type {Readonly<Record<string, string>>} */
const otherMethod = Object.fromEntries(
  [
    ['some', 'every'],
    ['min', 'max'],
    ['startsWith', 'endsWith'],
    ['indexOf', 'lastIndexOf'],
    ['push', 'unshift'],
    ['floor', 'ceil'],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);

const nameOfLimit =
  /max|min(?!us|e|ute)|most|least|limit|longest|largest|deepest|shortest|smallest|bytes/i;
const nameOfTime = /Ms$|^ms$|seconds/i;
const nameOfHeader =
  /^(?:[a-z]+(?:-[a-z0-9]+)+|accept|age|allow|authorization|connection|cookie|date|etag|expect|expires|forwarded|host|link|location|origin|pragma|range|referer|server|te|trailer|upgrade|vary|via|warning)$/i;
/** Functions and methods whose first argument may be the name of a header. */
const headerFunction = /header|^(?:append|delete|get|has|set)$/i;

/** Longer parts, such as a whole catalogue, are no careless omission. */
const longestPart = 300;

/** @param {Node | undefined | null} node */
const isNumber = (node) => node?.type === 'Literal' && typeof node.value === 'number';
/** @param {Node | undefined | null} node */
const isString = (node) => node?.type === 'Literal' && typeof node.value === 'string';

/**
 * Replaces the operator of an expression with two sides.
 *
 * @param {Node} node
 * @param {string} source
 * @param {Readonly<Record<string, string>>} others
 * @returns {Edit[]}
 */
function swapOperator({ left, right, operator }, source, others) {
  const other = others[operator];
  if (other === undefined) return [];
  const between = source.slice(left.end, right.start);
  return [{ start: left.end, end: right.start, text: between.replace(operator, () => other) }];
}

/**
 * Returns the variable, the property or the parameter that has a value, also through arithmetic with it.
 *
 * @param {Node} node
 * @param {readonly Node[]} parents Nearest last
 * @returns {{name: string, whole: Node} | undefined}
 */
function holderOf(node, parents) {
  let whole = node;
  for (const parent of parents.toReversed()) {
    const target = parent.id ?? parent.key ?? (parent.type === 'AssignmentPattern' && parent.left);
    const value = parent.init ?? parent.value ?? parent.right;
    if (target && value === whole) return { name: target.name ?? String(target.value), whole };
    if (!/^(?:Binary|Parenthesized|TSAs|TSSatisfies)/.test(parent.type)) return undefined;
    whole = parent;
  }
  return undefined;
}

/**
 * Changes a number that is the value of something with a fitting name. Arithmetic is one number.
 *
 * @param {Node} node
 * @param {readonly Node[]} parents
 * @param {string} source
 * @param {(name: string) => boolean} isFitting
 * @param {readonly string[]} steps
 * @returns {Edit[]}
 */
function changedNumbers(node, parents, source, isFitting, steps) {
  const { name, whole } = (isNumber(node) && holderOf(node, parents)) || {};
  if (name === undefined || whole === undefined || whole.start !== node.start || !isFitting(name))
    return [];
  const { start, end } = whole;
  return steps.map((step) => ({ start, end, text: `(${source.slice(start, end)}) ${step}` }));
}

/**
 * Removes a part of a list together with a comma.
 *
 * @param {readonly Node[]} list
 * @param {number} place
 * @returns {Edit}
 */
function removal(list, place) {
  const [before, part, after] = [list[place - 1], list[place], list[place + 1]];
  const start = after === undefined ? before?.end : part?.start;
  return { start: start ?? 0, end: after?.start ?? part?.end ?? 0, text: '' };
}

/**
 * Whether a number is a status there, and not a size or a position.
 *
 * @param {Node} node
 * @param {Node | undefined} parent
 */
function isStatusPlace(node, parent) {
  if (parent === undefined) return false;
  const { type, key, callee, left, operator } = parent;
  const named = /status|code|error|fail|reject|refus|respon|reply/i;
  if (type === 'Property') return key === node || named.test(key.name ?? key.value);
  if (type === 'CallExpression' || type === 'NewExpression')
    return named.test(callee.property?.name ?? callee.name ?? '');
  if (type === 'BinaryExpression')
    return /[=<>]/.test(operator) && named.test(left.property?.name ?? left.name ?? '');
  return false;
}

/** @param {Node} statement */
const isEnd = ({ type }) =>
  type === 'ReturnStatement' || type === 'ThrowStatement' || type === 'ContinueStatement';

/**
 * The kinds of careless changes.
 *
 * @type {Readonly<Record<string, Mutator>>}
 */
export const mutators = {
  bound: (node, _parents, source) =>
    node.type === 'BinaryExpression' ? swapOperator(node, source, otherBound) : [],

  condition(node, _parents, source) {
    if (node.type === 'UnaryExpression' && node.operator === '!')
      return [{ start: node.start, end: node.argument.start, text: '' }];
    const hasSides = node.type === 'BinaryExpression' || node.type === 'LogicalExpression';
    return hasSides ? swapOperator(node, source, otherCondition) : [];
  },

  check({ type, test, consequent, alternate }) {
    if (type !== 'IfStatement' || alternate) return [];
    const [statement, ...rest] =
      consequent.type === 'BlockStatement' ? consequent.body : [consequent];
    if (statement === undefined || rest.length > 0 || !isEnd(statement)) return [];
    return [{ start: test.start, end: test.end, text: 'false' }];
  },

  throw: ({ type, start, end }) => (type === 'ThrowStatement' ? [{ start, end, text: '{}' }] : []),

  await({ type, start, argument }, parents) {
    const parent = parents.at(-1);
    // A promise that is returned is awaited by the caller.
    const isReturned =
      parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression';
    return type === 'AwaitExpression' && !isReturned
      ? [{ start, end: argument.start, text: '' }]
      : [];
  },

  call({ type, start, end, expression }) {
    if (type !== 'ExpressionStatement') return [];
    const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
    const isCall = call.type === 'CallExpression' && call.callee.type !== 'Super';
    return isCall ? [{ start, end, text: '{}' }] : [];
  },

  limit: (node, parents, source) =>
    changedNumbers(
      node,
      parents,
      source,
      (name) => nameOfLimit.test(name) && !nameOfTime.test(name),
      ['+ 1', '- 1'],
    ),

  // One more or less is beyond what a caller could see; seconds for milliseconds are not.
  time: (node, parents, source) =>
    changedNumbers(node, parents, source, (name) => nameOfTime.test(name), ['* 1000', '/ 1000']),

  status(node, parents) {
    if (!isNumber(node) || !(node.value in STATUS_CODES) || !isStatusPlace(node, parents.at(-1)))
      return [];
    const { start, end, value } = node;
    return [1, -1].map((step) => ({ start, end, text: String(value + step) }));
  },

  header(node, parents) {
    const parent = parents.at(-1);
    if (!isString(node) || parent === undefined) return [];
    const callee = parent.callee?.property?.name ?? parent.callee?.name ?? '';
    const isInCall = parent.type === 'CallExpression' && headerFunction.test(callee);
    const name = isInCall ? parent.arguments[0] : parent.key;
    if (!isString(name) || !nameOfHeader.test(name.value) || parent.computed) return [];
    const text = node === name ? `'x-${node.value}'` : "'x'";
    return [{ start: node.start, end: node.end, text }];
  },

  arithmetic(node, parents, source) {
    const { type, left, right, operator, start, end, prefix, argument } = node;
    if (type === 'UpdateExpression') {
      const text = operator === '++' ? '--' : '++';
      const operand = source.slice(argument.start, argument.end);
      return [{ start, end, text: prefix ? text + operand : operand + text }];
    }
    const parent = parents.at(-1);
    const isOrder = parent?.type === 'ArrowFunctionExpression' && parent.params.length === 2;
    if (type === 'BinaryExpression' && operator === '-' && isOrder) {
      const [first, second] = [left, right].map((side) => source.slice(side.start, side.end));
      return [{ start, end, text: `${second} - ${first}` }];
    }
    const isSum = type === 'BinaryExpression' || type === 'AssignmentExpression';
    // Text is not subtracted by mistake.
    const isText = (/** @type {Node} */ { type, value }) =>
      type === 'TemplateLiteral' || typeof value === 'string';
    if (!isSum || isText(left) || isText(right)) return [];
    const isOfNumbers = operator !== '+' || isNumber(left) || isNumber(right);
    return isOfNumbers ? swapOperator(node, source, otherSign) : [];
  },

  method({ type, callee }) {
    const name = type === 'CallExpression' && !callee.computed && callee.property?.name;
    const text = Object.hasOwn(otherMethod, name) ? otherMethod[name] : undefined;
    return text === undefined
      ? []
      : [{ start: callee.property.start, end: callee.property.end, text }];
  },

  case({ type, test, elements, properties }, parents) {
    if (type === 'SwitchCase')
      return test ? [{ start: test.start, end: test.end, text: 'undefined' }] : [];
    const isTable = type === 'ObjectExpression' && parents.length <= 5;
    const list = type === 'ArrayExpression' ? elements : isTable ? properties : [];
    /** @param {Node | null} part */
    const isPart = (part) => part !== null && /^(?:Literal|Object|Array|Property$)/.test(part.type);
    if (list.length < 2 || !list.every(isPart)) return [];
    return list
      .map((/** @type {Node} */ _part, /** @type {number} */ place) => removal(list, place))
      .filter((/** @type {Edit} */ { start, end }) => end - start <= longestPart);
  },

  flag: ({ type, value, start, end }) =>
    type === 'Literal' && typeof value === 'boolean' ? [{ start, end, text: String(!value) }] : [],

  pattern({ type, regex, start, end }) {
    if (type !== 'Literal' || !regex) return [];
    const { pattern, flags } = regex;
    const others = [
      pattern.startsWith('^') && `/${pattern.slice(1)}/${flags}`,
      pattern.endsWith('$') && !pattern.endsWith('\\$') && `/${pattern.slice(0, -1)}/${flags}`,
      flags.includes('i') && `/${pattern}/${flags.replace('i', '')}`,
    ];
    return others
      .filter((text) => text && !text.startsWith('//'))
      .map((text) => ({ start, end, text }));
  },
};

/** Types of nodes whose expression is more than a type. */
const wrappers = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/**
 * Calls a function for each node that runs: not for types and imports.
 *
 * @param {Node} node
 * @param {readonly Node[]} parents
 * @param {(node: Node, parents: readonly Node[]) => void} visit
 */
function walk(node, parents, visit) {
  const { type } = node;
  if (type.startsWith('TS') && !wrappers.includes(type)) return;
  if (type === 'ImportDeclaration' || (/^Export/.test(type) && node.source)) return;
  visit(node, parents);
  const inner = [...parents, node];
  for (const child of Object.values(node).flat())
    if (typeof child?.type === 'string') walk(child, inner, visit);
}

/**
 * Returns each careless change of a file.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Mutant[]}
 */
export function mutantsOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Mutant[]} */
  const found = [];
  walk(/** @type {Node} */ (/** @type {unknown} */ (program)), [], (node, parents) => {
    for (const [kind, mutator] of Object.entries(mutators))
      for (const edit of mutator(node, parents, source))
        found.push({ file, kind, edit, ...describe(source, edit) });
  });
  return found;
}

/**
 * @param {string} source
 * @param {Edit} edit
 */
export const apply = (source, { start, end, text }) =>
  source.slice(0, start) + text + source.slice(end);

/**
 * @param {string} source
 * @param {Edit} edit
 */
function describe(source, { start, end, text }) {
  const begin = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const stop = newline === -1 ? source.length : newline;
  const short = (/** @type {string} */ lines) => lines.replaceAll(/\s+/g, ' ').trim();
  return {
    line: source.slice(0, start).split('\n').length,
    from: short(source.slice(begin, stop)),
    to: short(source.slice(begin, start) + text + source.slice(end, stop)),
  };
}
