import { readFileSync } from 'node:fs';
import { buildSchema, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { wholeRecord } from '../../src/data/record-schemas.js';
import { declarations } from '../../src/data/records.js';

const schemaText = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

interface Shape {
  readonly title?: string;
  readonly type: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** The file that declares a type, and its fields with their types as GraphQL writes them. */
interface DeclaredType {
  readonly file: string;
  readonly fields: ReadonlyMap<string, string>;
}

function graphqlTypeOf(shape: Shape): string {
  const [first, ...others] = [shape.type].flat().filter((type) => type !== 'null');
  const isNullable = [shape.type].flat().includes('null');
  if (first === undefined || others.length > 0) throw new Error(`No type for ${shape.type}.`);
  return namedTypeOf(first, shape) + (isNullable ? '' : '!');
}

function namedTypeOf(type: string, { format, items, title }: Shape): string {
  switch (type) {
    case 'string':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'integer':
      return format === 'int64' ? 'Long' : 'Int';
    case 'number':
      return format === 'double' ? 'Float' : 'Decimal';
    case 'array':
      return `[${graphqlTypeOf(items as Shape)}]`;
    default:
      return title ?? 'an object without a title';
  }
}

/** The types of all datasets except the items, which GraphQL does not show, and nested types. */
function declaredTypes(): Map<string, DeclaredType> {
  const types = new Map<string, DeclaredType>();
  function add(shape: Shape, file: string): void {
    if (shape.items !== undefined) add(shape.items, file);
    if (shape.properties === undefined) return;
    const fields = Object.entries(shape.properties).map(
      ([name, member]) => [name, graphqlTypeOf(member)] as const,
    );
    types.set(shape.title ?? '', { file, fields: new Map(fields) });
    for (const member of Object.values(shape.properties)) add(member, file);
  }
  const { items: _items, ...shown } = declarations;
  for (const [name, declaration] of Object.entries(shown)) {
    add(wholeRecord(declaration) as unknown as Shape, `src/data/records/${name}.ts`);
  }
  return types;
}

/** The change to `schema.graphql`, or the place of the declaration, that makes both equal. */
function findDifferences(text: string): string[] {
  const schema = buildSchema(text);
  const declared = declaredTypes();
  const differences: string[] = [];
  for (const [name, { file, fields }] of declared) {
    const type = schema.getType(name);
    const at = `schema.graphql, type ${name}`;
    if (!isObjectType(type)) {
      differences.push(`${at}: add this type, which ${file} declares.`);
      continue;
    }
    const written = type.getFields();
    let before = '';
    for (const [field, expected] of fields) {
      const line = `"${field}: ${expected}"`;
      const found = written[field];
      if (found === undefined) {
        const place = before === '' ? 'as the first field' : `after the field ${before}`;
        differences.push(`${at}: add ${line} ${place}, or remove ${field} from ${file}.`);
      } else if (String(found.type) !== expected) {
        const actual = `"${field}: ${found.type}"`;
        differences.push(`${at}: write ${line} instead of ${actual}, or change it in ${file}.`);
      }
      before = field;
    }
    for (const field of Object.keys(written)) {
      if (fields.has(field)) continue;
      differences.push(`${at}: remove the field ${field}, or declare it in ${file}.`);
    }
    const order = Object.keys(written).filter((field) => fields.has(field));
    const declaredOrder = [...fields.keys()].filter((field) => field in written);
    if (order.join() !== declaredOrder.join()) {
      differences.push(`${at}: order the fields as in ${file}: ${declaredOrder.join(', ')}.`);
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    const isRecord =
      isObjectType(type) && !/^(Query|Mutation|Subscription)$|Change$/.test(type.name);
    if (!isRecord || type.name.startsWith('__') || declared.has(type.name)) continue;
    differences.push(
      `schema.graphql, type ${type.name}: remove it, or declare it in src/data/records/.`,
    );
  }
  return differences;
}

test('schema.graphql matches the declared records', () => {
  expect(findDifferences(schemaText)).toEqual([]);
});

test.each([
  [
    'a field is missing',
    ['  language: String!\n', ''],
    'schema.graphql, type Book: add "language: String!" after the field pages, or remove language from src/data/records/books.ts.',
  ],
  [
    'a field is not declared',
    ['  language: String!\n', '  language: String!\n  shelf: Int\n'],
    'schema.graphql, type Book: remove the field shelf, or declare it in src/data/records/books.ts.',
  ],
  [
    'a field may be null',
    ['  pages: Int!', '  pages: Int'],
    'schema.graphql, type Book: write "pages: Int!" instead of "pages: Int", or change it in src/data/records/books.ts.',
  ],
  [
    'a field may not be null',
    ['  managerId: Int\n', '  managerId: Int!\n'],
    'schema.graphql, type Employee: write "managerId: Int" instead of "managerId: Int!", or change it in src/data/records/employees.ts.',
  ],
  [
    'a number is of another type',
    ['  boxOffice: Long!', '  boxOffice: Int!'],
    'schema.graphql, type Movie: write "boxOffice: Long!" instead of "boxOffice: Int!", or change it in src/data/records/movies.ts.',
  ],
  [
    'members of a list may be null',
    ['  skills: [String!]!', '  skills: [String]!'],
    'schema.graphql, type Employee: write "skills: [String!]!" instead of "skills: [String]!", or change it in src/data/records/employees.ts.',
  ],
  [
    'fields are in another order',
    ['  code3: String!\n', ''],
    'schema.graphql, type Country: order the fields as in src/data/records/countries.ts: id, name, code, code3, capital, region, population, area, currency, languages, callingCode, flag, timezones.',
    ['  capital: String!\n', '  capital: String!\n  code3: String!\n'],
  ],
  [
    'a type is missing',
    [/"Photos of one user[^}]*\}/, ''],
    'schema.graphql, type Album: add this type, which src/data/records/albums.ts declares.',
    [/ {2}"The albums[^"]*"\n {2}albums[^\n]*\n/, ''],
  ],
  [
    'a type is not declared',
    ['type Album', 'type Shelf {\n  id: Int!\n}\n\ntype Album'],
    'schema.graphql, type Shelf: remove it, or declare it in src/data/records/.',
  ],
] as const)(
  'when %s, the message says what to change and where',
  (_case, change, expected, another?) => {
    let text = schemaText;
    for (const [from, to] of another === undefined ? [change] : [change, another]) {
      expect(text).toMatch(from);
      text = text.replace(from, to);
    }
    expect(findDifferences(text)).toEqual([expected]);
  },
);
