/** Finds the functions that use a constant of a module. */

import { parseSync } from 'rolldown/utils';
import { bodiesIn, functionAt } from './functions.js';

/** @typedef {{type: string, start: number, end: number} & Record<string, any>} Node A node of ESTree */

/**
 * Returns the name of the constant that a module declares at a place, and whether it is exported; `undefined` for other places.
 *
 * @param {string} file
 * @param {string} source
 * @param {{start: number, end: number}} place
 */
export function constantAt(file, source, { start, end }) {
  for (const statement of parseSync(file, source).program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration';
    /** @type {Node | null} */
    const declaration = isExported ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init && init.start <= start && end <= init.end)
        return { name: String(id.name), isExported };
  }
  return undefined;
}

/**
 * Returns the numbers of the innermost functions of a source that have a name in their text. Returns `undefined` if the name
 * also occurs outside of functions, beside its declaration and imports: then the module itself uses it.
 *
 * @param {string} file
 * @param {string} source
 * @param {string} name
 */
export function usersOf(file, source, name) {
  const pattern = name.replaceAll('$', '\\$');
  // Under another name, its users are not found.
  if (new RegExp(`(?<![\\w$])${pattern} as `).test(source)) return undefined;
  const bodies = bodiesIn(file, source);
  const known = namingPlaces(file, source);
  const users = new Set();
  for (const { index } of source.matchAll(new RegExp(`(?<![\\w$])${pattern}(?![\\w$])`, 'g'))) {
    const place = { start: index, end: index + name.length };
    if (known.some(({ start, end }) => start <= index && index < end)) continue;
    const number = functionAt(bodies, place);
    if (number === undefined) return undefined;
    users.add(number);
  }
  return /** @type {ReadonlySet<number>} */ (users);
}

/**
 * Returns the places that only name things: imports, names of declarations, and comments.
 *
 * @param {string} file
 * @param {string} source
 */
function namingPlaces(file, source) {
  const { program, comments } = parseSync(file, source);
  /** @type {{start: number, end: number}[]} */
  const places = [...comments];
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') places.push(statement);
    const declaration = 'declaration' in statement ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration')
      for (const { id } of declaration.declarations) places.push(id);
  }
  return places;
}
