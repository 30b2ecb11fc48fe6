/** Follows CONTRIBUTING.md's instructions for adding things, literally, in a copy of the project. */

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

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-contributing-'));
afterAll(() => rmSync(copy, { recursive: true }));

interface Recipe {
  readonly heading: string;
  /** What its blocks are, in their order. */
  readonly files: readonly string[];
  /** The one file that is changed, and its lines before and after. */
  readonly list: string;
  readonly lines: readonly (readonly [before: string, after: string])[];
}

const recipes: readonly Recipe[] = [
  {
    heading: 'Add an area in 30 minutes',
    files: [
      'src/areas/dice/count-roll.ts',
      'src/areas/dice/count-roll.test.ts',
      'src/areas/dice/routes.ts',
      'test/dice/dice.test.ts',
    ],
    list: 'src/service.ts',
    lines: [
      ['\nimport ', "\nimport { diceArea } from './areas/dice/routes.js';\nimport "],
      ['areas = [', 'areas = [diceArea, '],
    ],
  },
  {
    heading: 'Add an authentication scheme',
    files: ['src/areas/auth/ticket/scheme.ts', 'test/auth/ticket.test.ts'],
    list: 'src/areas/auth/routes.ts',
    lines: [
      ['\nimport ', "\nimport { ticketScheme } from './ticket/scheme.js';\nimport "],
      ['list = [', 'list = [ticketScheme, '],
    ],
  },
  {
    heading: 'Add a page',
    files: ['pages/time/index.html', 'pages/time/main.ts', 'pages/time/time.css'],
    list: 'src/site/pages.ts',
    lines: [['const pages = {', "const pages = {\n  time: { paths: ['/time'] },"]],
  },
];

/** What a reader of the recipes without a test of their own would look at. */
const looks = {
  'field.test.ts': `
import { expect, test } from 'vitest';

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
    BookFilters: { properties: { binding: {} } },
  });
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
    'data',
    'schema.graphql',
    'package.json',
    'tsconfig.json',
    'scripts/start-proxy.js',
    'scripts/free-port.js',
    'scripts/build-pages.js',
    'test/graphql/schema-equals-records.test.ts',
    // Of the pages only what all share, so that bundling takes no time.
    ...['shared', 'bar', 'site-head.html', 'site-header.html'].map((name) => `pages/${name}`),
    ...['tsconfig.json', 'icon.svg', 'favicon.ico'].map((name) => `pages/${name}`),
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'test/recipes'));
  for (const [name, text] of Object.entries(looks)) {
    writeFileSync(join(copy, 'test/recipes', name), text);
  }
});

test.each(recipes)(
  '$heading: $files.length files and a line, as CONTRIBUTING.md says',
  (recipe) => {
    const { heading, files, list, lines } = recipe;
    const text = sectionOf(heading);
    const blocks = [...text.matchAll(/```(?:ts|html|css)\n(.*?)```/gs)].map(
      ([, block = '']) => block,
    );
    expect(blocks).toHaveLength(files.length);
    for (const [index, file] of files.entries()) {
      expect(text).toContain(file.split('/').at(-1));
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
  },
);

test('Add a field to a record: three files, as CONTRIBUTING.md says', { timeout: 120_000 }, () => {
  const text = sectionOf('Add a field to a record');
  const steps = [...text.matchAll(/^\d\. `([^`]+)`: (?:`([^`]+)`)?/gm)];
  expect(text).toContain('Three files change:');
  expect(steps).toHaveLength(3);
  const [[, declaration = '', line = ''] = [], [, data = ''] = [], [, schema = ''] = []] = steps;

  change(declaration, (before) => before.replace(/^ {4}genre: .*\n/m, `$&    ${line}\n`));
  change(data, (before) => {
    return before.replaceAll(/"genre":"[^"]*",/g, '$&"binding":"Hardcover",');
  });
  // It fails, and says what is missing.
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

test('what they made compiles and passes its tests', { timeout: 180_000 }, () => {
  run('tsc', '--noEmit', '-p', 'tsconfig.json');
  run('tsc', '--noEmit', '-p', 'pages');
  run(process.execPath, 'scripts/build-pages.js');
  const made = ['dice', 'ticket', 'recipes', 'schema-equals-records', 'load-datasets'];
  // Its exit status says whether all tests passed.
  run('vitest', 'run', '--root', copy, '--testTimeout', '60000', ...made);
});

function sectionOf(heading: string): string {
  const sections = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/^## /m);
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
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
    execFileSync(command, args, { cwd: copy, stdio: 'pipe', env: { ...process.env, VITEST: '' } });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}
