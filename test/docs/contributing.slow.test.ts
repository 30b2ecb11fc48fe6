/** Follows the recipes of docs/contributing/, literally, in a copy of the project. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frugal } from '../support/frugal-compiler.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-contributing-'));
afterAll(() => rmSync(copy, { recursive: true }));

interface Recipe {
  /** The page in docs/contributing/. */
  readonly page: string;
  /** The files that its blocks become, in their order. */
  readonly files: readonly string[];
  /** The single changed file, and its lines before and after. */
  readonly list: string;
  readonly lines: readonly (readonly [before: string, after: string])[];
}

const recipes: readonly Recipe[] = [
  {
    page: 'add-an-area',
    files: ['src/areas/dice/area.ts', 'test/dice/dice.test.ts'],
    list: 'src/service.ts',
    lines: [
      ['\nimport ', "\nimport { diceArea } from './areas/dice/area.js';\nimport "],
      ['areas = [', 'areas = [diceArea, '],
    ],
  },
  {
    page: 'add-a-scheme',
    files: ['src/areas/auth/ticket/scheme.ts', 'test/auth/ticket.test.ts'],
    list: 'src/areas/auth/area.ts',
    lines: [
      ['\nimport ', "\nimport { ticketScheme } from './ticket/scheme.js';\nimport "],
      ['list = [', 'list = [ticketScheme, '],
    ],
  },
  {
    page: 'add-a-page',
    files: ['pages/time/index.html', 'pages/time/main.ts'],
    list: 'src/kit/pages/pages.ts',
    lines: [['const pages = {', "const pages = {\n  time: { paths: ['/time'] },"]],
  },
  {
    page: 'add-a-challenge',
    files: ['src/areas/challenges/tracks/teapot.ts', 'src/areas/challenges/tracks/cases/teapot.ts'],
    list: 'src/areas/challenges/all-challenges.ts',
    lines: [
      ['\nimport ', "\nimport { teapotTrack } from './tracks/teapot.js';\nimport "],
      ['  ...httpTrack,', '  ...httpTrack,\n  ...teapotTrack,'],
    ],
  },
  {
    page: 'add-a-practice-api',
    files: [
      'data/practice-apis/coffee.json',
      'src/areas/practice-apis/coffee/dialect.ts',
      'test/practice-apis/coffee.test.ts',
    ],
    list: 'src/areas/practice-apis/dialects.ts',
    lines: [['Load>> = {', "Load>> = {\n  coffee: () => import('./coffee/dialect.js'),"]],
  },
];

/** Recipes that only change files: each block is inserted after a line. */
const changes: readonly {
  readonly page: string;
  readonly edits: readonly (readonly [file: string, after: string])[];
}[] = [
  {
    page: 'add-a-client-rule',
    edits: [
      ['src/areas/mcp/judge/message-rules.ts', 'const envelope: readonly ClientRule[] = [\n'],
      ['test/mcp/rules.ts', 'export const requestRules: readonly RuleCase[] = [\n'],
    ],
  },
  {
    page: 'add-a-broken-stream',
    edits: [
      [
        'src/areas/llm/streams/catalogue/forms.ts',
        'export const forms = casesOf<BrokenStream>()({\n',
      ],
      [
        'docs/llm/broken-streams.md',
        '| Nothing more is sent, and the connection remains open. |\n',
      ],
    ],
  },
];

/** The check that a reader would make of a recipe without a test. */
const looks = {
  'field.test.ts': `
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

test('the field is in REST, its filters and its description, and in GraphQL', async () => {
  const { json: books } = await send('GET /api/Books?binding=hardcover&limit=1');
  expect(books).toMatchObject([{ id: 1, binding: 'Hardcover' }]);
  const given = { title: 'T', author: 'A', isbn: '9780547773742', publishedYear: 1968, pages: 1 };
  const { json: made } = await send('POST /api/Books', { json: given });
  expect(made.binding).toBe('Paperback');
  const { json: description } = await send('GET /openapi.json');
  expect(description.components.schemas).toMatchObject({
    Book: { properties: { binding: {} } },
  });
  const { parameters } = description.paths['/api/Books'].get;
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'binding', in: 'query' }));
  const { json: some } = await send('GET /api/Books?binding_in=hardcover,spiral&limit=1');
  expect(some).toMatchObject([{ id: 1 }]);
  const { json } = await send('POST /graphql', { json: { query: '{ book(id: 1) { binding } }' } });
  expect(json).toEqual({ data: { book: { binding: 'Hardcover' } } });
});
`,
  'page.test.ts': `
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

test('the page is sent with what it loads', async () => {
  const { status, text, headers } = await send('GET /time');
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain('class="site-name"');
  const loaded = [...text.matchAll(/"[./]*(assets\\/time-[^"]+)"/g)].map(([, path]) => path);
  expect(loaded.map((path) => path?.split('.').at(-1)).sort()).toEqual(['css', 'js']);
  for (const path of loaded) expect((await send('GET /' + path)).status).toBe(200);
});
`,
};

beforeAll(() => {
  for (const name of [
    'src',
    'test/support',
    'test/state/contracts',
    'data',
    'schema.graphql',
    'package.json',
    'tsconfig.json',
    'scripts/start-proxy.js',
    'scripts/free-port.js',
    'scripts/build-pages.js',
    'scripts/page-parts.js',
    'scripts/progress.js',
    'scripts/tests',
    'scripts/import-graph.js',
    'test/graphql/schema-equals-records.test.ts',
    'test/challenges',
    'test/docs/areas.test.ts',
    'test/practice-apis/everywhere.test.ts',
    'test/mcp',
    'test/llm',
    'docs/llm/broken-streams.md',
    // Only the shared pages, so that bundling is fast.
    ...['shared', 'bar', 'search', 'site-head.html', 'site-header.html'].map(
      (name) => `pages/${name}`,
    ),
    ...['tsconfig.json', 'icon.svg', 'favicon.ico'].map((name) => `pages/${name}`),
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  for (const modules of ['node_modules', 'test/node_modules']) {
    symlinkSync(join(root, modules), join(copy, modules));
  }
  writeFileSync(
    join(copy, 'vitest.config.js'),
    `export default { resolve: { alias: [{ find: /^#/, replacement: '${copy}/src/' }] } };\n`,
  );
  mkdirSync(join(copy, 'test/recipes'));
  for (const [name, text] of Object.entries(looks)) {
    writeFileSync(join(copy, 'test/recipes', name), text);
  }
});

test.each(recipes)('$page: a few files, as the recipe says', (recipe) => {
  const { page, files, list, lines } = recipe;
  const text = readRecipe(page);
  const blocks = [...text.matchAll(/```(?:ts|html|css|json)\n(.*?)```/gs)].map(
    ([, block = '']) => block,
  );
  expect(blocks).toHaveLength(files.length);
  // The records of a practice API are a declaration beside its two files.
  const declarations = files.filter((file) => file.endsWith('.json'));
  expect(files.length - declarations.length).toBeLessThan(3);
  expect(declarations.length).toBeLessThan(2);
  for (const [index, file] of files.entries()) {
    expect(text).toContain(file);
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), blocks[index] ?? '');
  }
  expect(text).toContain(list);
  let changed = readFileSync(join(copy, list), 'utf8');
  for (const [before, after] of lines) {
    expect(changed).toContain(before);
    changed = changed.replace(before, after);
  }
  writeFileSync(join(copy, list), changed);
});

test.each(changes)('$page: two files, as the recipe says', ({ page, edits }) => {
  const text = readRecipe(page);
  const blocks = [...text.matchAll(/```(?:ts|md)\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(edits.length);
  expect(edits).toHaveLength(2);
  for (const [index, [file, after]] of edits.entries()) {
    expect(text).toContain(file);
    change(file, (before) => before.replace(after, () => after + blocks[index]));
  }
});

test('add-a-field: three files, as the recipe says', { timeout: 120_000 }, () => {
  const text = readRecipe('add-a-field');
  const steps = [...text.matchAll(/^\d\. `([^`]+)`: (?:`([^`]+)`)?/gm)];
  expect(text).toContain('Three files change:');
  expect(steps).toHaveLength(3);
  const [[, declaration = '', line = ''] = [], [, data = ''] = [], [, schema = ''] = []] = steps;

  change(declaration, (before) => before.replace(/^ {4}genre: .*\n/m, `$&    ${line}\n`));
  change(data, (before) => {
    return before.replaceAll(/"genre":"[^"]*",/g, '$&"binding":"Hardcover",');
  });
  // The test fails, and says what is missing.
  const says = () => run('vitest', 'run', '--root', copy, 'schema-equals-records');
  const advice = /type Book: add \\?"([^"\\]+)\\?" after the field (\w+),/;
  const [, added, after] = advice.exec(messageOf(says)) ?? [];
  expect(added).toBe('binding: String!');
  const type = /^type Book \{.*?^\}/ms;
  change(schema, (before) =>
    before.replace(type, (book) =>
      book.replace(new RegExp(`^  ${after}: .*\n`, 'm'), `$&  ${added}\n`),
    ),
  );
});

test('the result compiles', { timeout: 300_000 }, () => {
  run('tsc', '--noEmit', '-p', 'tsconfig.json', ...frugal.args);
  run('tsc', '--noEmit', '-p', 'pages', ...frugal.args);
});

test('the result passes its tests', { timeout: 300_000 }, () => {
  run(process.execPath, 'scripts/build-pages.js');
  const made = ['dice', 'ticket', 'coffee', 'recipes', 'schema-equals-records', 'load-datasets'];
  // Its exit status says whether all tests passed.
  const patient = ['--testTimeout', '60000', '--hookTimeout', '60000'];
  run('vitest', 'run', '--root', copy, ...patient, ...made);
  const added =
    'http-teapot|method-filled|two-spaces|coffee|areas are listed|the test plan has|the guide lists';
  const files = ['challenges/cases', 'mcp/rules', 'llm/broken-streams'];
  files.push('docs/areas', 'practice-apis/everywhere');
  run('vitest', 'run', '--root', copy, ...patient, ...files, '-t', added);
});

function readRecipe(page: string): string {
  return readFileSync(join(root, `docs/contributing/${page}.md`), 'utf8');
}

function change(file: string, edit: (before: string) => string): void {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = edit(before);
  expect(after, file).not.toBe(before);
  writeFileSync(join(copy, file), after);
}

function messageOf(failing: () => void): string {
  try {
    failing();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

function run(name: string, ...args: string[]): void {
  const command = name === process.execPath ? name : join(root, 'node_modules/.bin', name);
  try {
    execFileSync(command, args, { cwd: copy, stdio: 'pipe', env: { ...frugal.env, VITEST: '' } });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}
