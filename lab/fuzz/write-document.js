/** Random valid documents over a whole GraphQL schema, with values for their variables. */

import { getNamedType, isNonNullType, isObjectType } from 'graphql';

/**
 * @typedef {object} RandomDocument
 * @property {string} query
 * @property {Readonly<Record<string, unknown>>} variables
 */

/**
 * Argument values by the name of the argument; most of them find something.
 *
 * @type {Readonly<Record<string, readonly unknown[]>>}
 */
const wanted = {
  id: [1, 2, 7, 25, 0, -1, 2147483647],
  userId: [1, 3, 99],
  albumId: [1, 50, -4],
  completed: [true, false],
  genre: ['Fantasy', 'cLaSsIc', 'Drama', 'none', ''],
  category: ['Electronics', 'music', '\u2028"\\'],
  department: ['engineering', 'Sales'],
  region: ['europe', 'Asia'],
  code: ['NO', 'nor', 'XX'],
};

/**
 * Writes a document with the same field many times.
 *
 * @param {number} count
 * @param {string} field
 */
export function aliased(count, field) {
  const fields = Array.from({ length: count }, (_, index) => `a${index}: ${field}`);
  return `{ ${fields.join(' ')} }`;
}

const maxDepth = 5;

/**
 * @param {import('graphql').GraphQLSchema} schema
 * @param {(limit: number) => number} below Returns an integer from 0 to below `limit`
 * @returns {RandomDocument}
 */
export function writeDocument(schema, below) {
  const objects = /** @type {import('graphql').GraphQLObjectType[]} */ (
    Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith('__') && type.name !== 'Mutation',
    )
  );
  /** @type {string[]} */
  const declarations = [];
  /** @type {Record<string, unknown>} */
  const variables = {};
  /** @type {Map<string, string>} */
  const fragments = new Map();
  let aliases = 0;

  /** @param {number} percent */
  const chance = (percent) => below(100) < percent;
  /** @type {<Item>(items: readonly Item[]) => Item} */
  const pick = (items) => /** @type {any} */ (items[below(items.length)]);

  /**
   * @param {string} type
   * @param {unknown} value
   */
  function declare(type, value) {
    const name = `v${declarations.length}`;
    const isRequired = type.endsWith('!');
    const withDefault = chance(30);
    declarations.push(`$${name}: ${type}${withDefault ? ` = ${JSON.stringify(value)}` : ''}`);
    if (!withDefault || chance(50)) variables[name] = value;
    if (!isRequired && chance(20)) delete variables[name];
    if (!isRequired && chance(20)) variables[name] = null;
    return `$${name}`;
  }

  function directives() {
    if (!chance(25)) return '';
    const decisions = ['skip', 'include'].filter(() => chance(60));
    return decisions
      .map((name) => {
        const value = chance(50);
        return ` @${name}(if: ${chance(50) ? declare('Boolean!', value) : value})`;
      })
      .join('');
  }

  /** @param {readonly import('graphql').GraphQLArgument[]} args */
  function writeArguments(args) {
    const written = args
      .filter(({ type }) => isNonNullType(type) || chance(60))
      .map(({ name, type }) => {
        const value = pick(wanted[name] ?? [null]);
        if (chance(40)) return `${name}: ${declare(String(type), value)}`;
        return `${name}: ${!isNonNullType(type) && chance(15) ? 'null' : JSON.stringify(value)}`;
      });
    return written.length > 0 ? `(${written.join(', ')})` : '';
  }

  /**
   * @param {import('graphql').GraphQLObjectType} type
   * @param {number} depth
   * @returns {string | undefined}
   */
  function writeField(type, depth) {
    if (chance(15)) return `${chance(40) ? 'kind: ' : ''}__typename${directives()}`;
    const field = pick(Object.values(type.getFields()));
    const inner = getNamedType(field.type);
    const selection = isObjectType(inner) ? writeSelection(inner, depth + 1) : '';
    if (selection === undefined) return undefined;
    // A response name must not mean two fields, or two sets of arguments.
    const isUnique = field.args.length > 0;
    const alias = isUnique ? `a${aliases++}: ` : chance(25) ? `my_${field.name}: ` : '';
    return `${alias}${field.name}${writeArguments(field.args)}${directives()}${selection}`;
  }

  /**
   * @param {import('graphql').GraphQLObjectType} type
   * @param {number} depth
   * @returns {string | undefined}
   */
  function writeFragment(type, depth) {
    const known = [...fragments.keys()].filter((name) => name.endsWith(`_${type.name}`));
    if (known.length > 0 && chance(60)) return `...${pick(known)}${directives()}`;
    const selection = writeSelection(type, depth + 1);
    if (selection === undefined) return undefined;
    if (chance(50)) return `... ${chance(70) ? `on ${type.name}` : ''}${directives()}${selection}`;
    const name = `F${fragments.size}_${type.name}`;
    fragments.set(name, `fragment ${name} on ${type.name}${selection}`);
    return `...${name}${directives()}`;
  }

  /**
   * @param {import('graphql').GraphQLObjectType} type
   * @param {number} depth
   * @returns {string | undefined}
   */
  function writeSelection(type, depth) {
    if (depth > maxDepth) return undefined;
    /** @type {string[]} */
    const parts = [];
    for (let count = 1 + below(5); count > 0; count--) {
      const part = chance(25) ? writeFragment(type, depth) : writeField(type, depth);
      if (part !== undefined) parts.push(part);
    }
    return parts.length > 0
      ? ` { ${parts.join(pick([' ', ', ', '\n', ' # more {\n']))} }`
      : undefined;
  }

  const query = objects.find((type) => type.name === 'Query');
  const selection = (query && writeSelection(query, 0)) ?? ' { __typename }';
  const head = declarations.length > 0 ? `query (${declarations.join(', ')})` : pick(['', 'query']);
  return { query: [`${head}${selection}`, ...fragments.values()].join('\n'), variables };
}
