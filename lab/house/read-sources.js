/**
 * Collects facts about the sources in `src/`, without tests, from the syntax trees of the compiler.
 */

import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The lab has an earlier compiler, which other tools of it need.
const { resolve } = createRequire(new URL('../../package.json', import.meta.url));
/** @type {typeof import('typescript/unstable/ast')} */
const {
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  isInterfaceDeclaration,
  isNewExpression,
  isPropertySignatureDeclaration,
  isVariableStatement,
  NodeFlags,
} = await import(pathToFileURL(resolve('typescript/unstable/ast')).href);
/** @type {typeof import('typescript/unstable/sync')} */
const { API } = await import(pathToFileURL(resolve('typescript/unstable/sync')).href);

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
 * @property {Map<string, string[]>} interfaces The types of their members by name
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
  /** @type {Map<string, string[]>} */
  const interfaces = new Map();

  const typeOf = (/** @type {import('typescript/unstable/ast').TypeElement} */ member) =>
    isPropertySignatureDeclaration(member) ? (member.type?.getText(source) ?? '') : '';

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
    if (isInterfaceDeclaration(node)) interfaces.set(name, node.members.map(typeOf));
    node.forEachChild((child) => visit(child, name));
  }
  visit(source, '');

  const pathOf = (/** @type {string} */ specifier) =>
    specifier.startsWith('#')
      ? `src/${specifier.slice(1)}`
      : relative(root, join(dirname(fileName), specifier));
  const imports = source.imports
    .map((specifier) => specifier.getText(source).slice(1, -1))
    .filter((specifier) => /^[.#]/.test(specifier))
    .map((specifier) => pathOf(specifier.replace(/js$/, 'ts')));
  return {
    file: relative(root, fileName),
    lines: text.split('\n').length - 1,
    imports: [...new Set(imports)],
    functions,
    state: stateOf(source),
    interfaces,
  };
}

/**
 * Returns the numbers of members of an interface, and of the interfaces in its file that its members have as types.
 *
 * @param {Source | undefined} source
 * @param {string} name
 * @returns {{name: string, count: number}[]}
 */
export function membersOf(source, name) {
  const members = source?.interfaces.get(name);
  if (members === undefined) throw new Error(`${source?.file} has no interface ${name}.`);
  const bags = members.filter((type) => source?.interfaces.has(type));
  return [name, ...bags].map((each) => ({
    name: each,
    count: source?.interfaces.get(each)?.length ?? 0,
  }));
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
