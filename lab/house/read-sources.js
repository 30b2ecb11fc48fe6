/**
 * Collects facts about the sources in `src/`, without tests, from the syntax trees of the compiler.
 */

import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  isInterfaceDeclaration,
  isNewExpression,
  isVariableStatement,
  NodeFlags,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/**
 * @typedef {object} LongFunction
 * @property {string} name
 * @property {number} lines
 * @property {number} parameters
 *
 * @typedef {object} Source
 * @property {string} file Its path in the folder
 * @property {number} lines
 * @property {string[]} imports The files of ours that it imports, also only types of them
 * @property {LongFunction[]} functions
 * @property {string[]} state Names of mutable values at module level
 * @property {Map<string, number>} interfaces The number of members by name
 */

/**
 * @param {string} [folder] A folder with a `tsconfig.build.json`; by default this project
 * @returns {Source[]}
 */
export function readSources(folder = fileURLToPath(new URL('../..', import.meta.url))) {
  const api = new API({ cwd: folder });
  const config = join(folder, 'tsconfig.build.json');
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    return (project?.rootFiles ?? []).flatMap((path) => {
      const source = project?.program.getSourceFile(path);
      return source === undefined ? [] : [read(source, folder)];
    });
  } finally {
    api.close();
  }
}

/**
 * @param {import('typescript/unstable/ast').SourceFile} source
 * @param {string} root
 * @returns {Source}
 */
function read(source, root) {
  const { text, fileName } = source;
  const lineOf = (/** @type {number} */ position) =>
    source.getLineAndCharacterOfPosition(position).line;
  /** @type {LongFunction[]} */
  const functions = [];
  /** @type {Map<string, number>} */
  const interfaces = new Map();

  /** @param {import('typescript/unstable/ast').Node} node @param {string} outer */
  function visit(node, outer) {
    const own = /** @type {any} */ (node).name?.text;
    const name = typeof own === 'string' ? own : outer;
    if (isFunctionLikeDeclaration(node) && node.body !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      functions.push({
        name: isConstructorDeclaration(node) ? `new ${name}` : name,
        lines,
        parameters: node.parameters.length,
      });
    }
    if (isInterfaceDeclaration(node)) interfaces.set(name, node.members.length);
    node.forEachChild((child) => visit(child, name));
  }
  visit(source, '');

  const imports = source.imports
    .map((specifier) => specifier.getText(source).slice(1, -1))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, join(dirname(fileName), specifier.replace(/js$/, 'ts'))));
  return {
    file: relative(root, fileName),
    lines: text.split('\n').length - 1,
    imports: [...new Set(imports)],
    functions,
    state: stateOf(source),
    interfaces,
  };
}

const collection = /^(?:Weak)?(?:Map|Set)$|Cache$/;

/**
 * Returns mutable variables at module level: `let`, and collections that are empty at first or that
 * their file changes, unless their type forbids changes.
 *
 * @param {import('typescript/unstable/ast').SourceFile} source
 */
function stateOf(source) {
  return source.statements.filter(isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name, type, initializer }) => {
      const variable = name.getText(source);
      if (declarationList.flags & NodeFlags.Let) return [variable];
      if (initializer === undefined || !isNewExpression(initializer)) return [];
      if (type?.getText(source).startsWith('Readonly')) return [];
      if (!collection.test(initializer.expression.getText(source))) return [];
      const changes = new RegExp(`\\b${variable}\\.(?:set|add|delete|clear)\\(`);
      const isEmpty = (initializer.arguments ?? []).length === 0;
      return isEmpty || changes.test(source.text) ? [variable] : [];
    }),
  );
}
