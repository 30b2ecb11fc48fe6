/** Records in every format, parsed by third-party libraries. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parse as parseRows } from 'csv-parse/sync';
import { Jsona } from 'jsona';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { jsonApiSchema } from './json-api-schema.js';
import { newRecords } from './new-records.js';

const service = useService();
const datasets = loadDatasets();
const folder = mkdtempSync(join(tmpdir(), 'practice-api-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const types = {
  csv: 'text/csv',
  xml: 'application/xml',
  yaml: 'application/yaml',
  ndjson: 'application/x-ndjson',
  jsonapi: 'application/vnd.api+json',
} as const;

const get = (path: string, accept: string, headers: Readonly<Record<string, string>> = {}) =>
  service.send(`GET ${path}`, { headers: { ...headers, Accept: accept } });

/**
 * Values that formats must quote or escape, and values that parsers could mistake for another type.
 */
const awkward = {
  title: 'Tea, "green" & <hot>; =1+1',
  author: 'NO',
  isbn: '9780306406157',
  genre: 'yes',
  language: '2027-03-12',
  publishedYear: 2024,
  pages: 1,
  tags: ['null', '1e3', ' a: b', '#c', 'Ελλάδα 😀'],
};

describe('Accept', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['TEXT/CSV; header=present', 'text/csv; charset=utf-8'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['text/xml', 'text/xml; charset=utf-8'],
    ['application/yaml', 'application/yaml'],
    ['text/yaml', 'text/yaml; charset=utf-8'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/jsonl', 'application/jsonl'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['application/json;q=0.5, application/xml', 'application/xml; charset=utf-8'],
    ['application/xml;q=0.5, application/json;q=0.6', 'application/json; charset=utf-8'],
    ['application/json;q=0, */*;q=0.1', 'text/csv; charset=utf-8'],
    // A browser, which prefers a page.
    [
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'application/json; charset=utf-8',
    ],
    ['text/csv, text/html;q=0.5', 'text/csv; charset=utf-8'],
    ['image/png', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
  ])('%s gets %s, and Vary lists Accept for caches', async (accept, type) => {
    for (const path of ['/api/Books?limit=2', '/api/Books/1', '/api/Users/1/Posts']) {
      const { status, headers } = await service.send(
        `GET ${path}`,
        accept === undefined ? {} : { headers: { Accept: accept } },
      );
      expect([status, headers['content-type']]).toEqual([200, type]);
      expect(headers.vary).toBe('X-Sandbox, X-Service-Key, Accept');
    }
  });

  test('that matches no format is 406 only for clients that prefer strictness', async () => {
    for (const path of [
      '/api/Books',
      '/api/Books/1',
      '/api/Books/isbn/9780547928227',
      '/api/Events/upcoming',
    ]) {
      const strict = await get(path, 'image/png', { Prefer: 'return=minimal, handling=strict' });
      expect(strict.status).toBe(406);
      expect(strict.json.available).toEqual(expect.arrayContaining(Object.values(types)));
      expect((await get(path, 'image/png', { Prefer: 'handling=lenient' })).status).toBe(200);
    }
  });

  test('applies to the responses to writes, too', async () => {
    const headers = { Accept: 'text/csv', 'X-Sandbox': 'writes' };
    const made = await service.send('POST /api/Books', { headers, json: awkward });
    expect(made.status).toBe(201);
    expect(made.text.split('\r\n')[0]).toBe(Object.keys(datasets.books[0] ?? {}).join());
    const changed = await service.send('PATCH /api/Books/1', { headers, json: { price: 1 } });
    expect(changed.headers['content-type']).toBe('text/csv; charset=utf-8');
    const read = await get('/api/Books/1', 'text/csv', headers);
    expect(read.headers.etag).toBe(changed.headers.etag);
  });

  test('escapes strings in CSV that spreadsheets would run, and no numbers', async () => {
    const headers = { Accept: 'text/csv', 'X-Sandbox': 'formulas' };
    const texts = ['=1+1', '+1', '-1', '@a', '\ta', '\ra', "'=1", 'a=1'];
    const rows = texts.map((text, index) => ({ id: index + 1, text, number: -index, '=name': 1 }));
    await service.send('PUT /api/sandbox/data', { headers, json: { cells: rows } });
    const cellsOf = async (path: string) => {
      const { status, text } = await service.send(`GET ${path}`, { headers });
      expect(status).toBe(200);
      return parseRows(text) as string[][];
    };
    const [names, ...escaped] = await cellsOf('/my/cells?formulas=escape');
    expect(names?.at(-1)).toBe("'=name");
    const shown = ["'=1+1", "'+1", "'-1", "'@a", "'\ta", "'\ra", "'=1", 'a=1'];
    expect(escaped.map(([, text]) => text)).toEqual(shown);
    expect(escaped.map(([, , number]) => number)).toEqual(rows.map(({ number }) => `${number}`));
    const [, ...plain] = await cellsOf('/my/cells?fields=text');
    expect(plain.map(([text]) => text)).toEqual(texts);
    const [, one] = await cellsOf('/my/cells/1?formulas=escape&fields=text');
    expect(one).toEqual(["'=1+1"]);
    const json = { id: 9, text: '=2', number: -2 };
    const made = await service.send('POST /my/cells?formulas=escape', { headers, json });
    expect((parseRows(made.text) as string[][])[1]?.slice(0, 3)).toEqual(['9', "'=2", '-2']);
    const faulty = await service.send('GET /my/cells?formulas=no', { headers });
    expect(faulty.status).toBe(400);
    expect(faulty.json.message).toBe('formulas must be escape; got "no".');
    const fields = { fields: [{ id: 1, formulas: 'x' }] };
    await service.send('PUT /api/sandbox/data', { headers, json: fields });
    expect(await cellsOf('/my/fields?formulas=x')).toHaveLength(2);
  });

  test('has an entity tag for each format, and each is valid for a write', async () => {
    const inside = { 'X-Sandbox': 'tags' };
    const tags = await Promise.all(
      ['application/json', ...Object.values(types)].map(
        async (accept) => (await get('/api/Books/2', accept, inside)).headers.etag as string,
      ),
    );
    expect(new Set(tags).size).toBe(6);
    for (const tag of tags) expect(tag).toMatch(/^"[\w.-]+"$/);
    const known = { ...inside, 'If-None-Match': tags[1] ?? '' };
    const same = await get('/api/Books/2', 'text/csv', known);
    expect([same.status, same.headers['content-type']]).toEqual([304, undefined]);
    expect((await get('/api/Books/2', 'application/xml', known)).status).toBe(200);
    const head = await service.send('HEAD /api/Books/2', {
      headers: { ...inside, Accept: 'text/csv' },
    });
    expect(head.headers.etag).toBe(tags[1]);
    let last = '';
    for (const tag of tags.slice(1, 2)) {
      const headers = { ...inside, 'If-Match': tag };
      expect(
        (await service.send('PATCH /api/Books/2', { headers, json: { price: 2 } })).status,
      ).toBe(200);
      last = tag;
    }
    for (const tag of [last, tags[0] ?? '', '"0123456789012345678901.csv"']) {
      const headers = { ...inside, 'If-Match': tag };
      expect((await service.send('PATCH /api/Books/2', { headers, json: {} })).status).toBe(412);
    }
  });
});

/** Parses XML as elements inside elements; a leaf is its text. */
type Element = {
  readonly name: string;
  readonly inner: (Element | string)[];
  readonly isNil: boolean;
};

function parseXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', inner: [], isNil: false };
  const open = [root];
  parser.on('opentag', ({ name, attributes }) => {
    const isNil = attributes['xsi:nil']?.value === 'true';
    const element: Element = { name, inner: [], isNil };
    open.at(-1)?.inner.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (each) => void open.at(-1)?.inner.push(each));
  parser.write(text).close();
  return root.inner.find((each) => typeof each !== 'string') as Element;
}

function fromXml({ inner, isNil }: Element, like: unknown): unknown {
  if (isNil) return null;
  const elements = inner.filter((each) => typeof each !== 'string');
  if (Array.isArray(like)) return elements.map((each) => fromXml(each, like[0] ?? ''));
  if (typeof like === 'object' && like !== null) {
    const members = elements.map((each) => [
      each.name,
      fromXml(each, (like as Record<string, unknown>)[each.name]),
    ]);
    return Object.fromEntries(members);
  }
  const text = inner.join('');
  if (typeof like === 'number') return Number(text);
  return typeof like === 'boolean' ? text === 'true' : text;
}

describe.each(newRecords)('$title', ({ title, name, noun }) => {
  const path = `/api/${title}`;
  let records: readonly Record<string, unknown>[];
  beforeAll(async () => {
    records = (await service.send(`GET ${path}`)).json;
  });

  test('as NDJSON have one line each', async () => {
    const { text } = await get(path, types.ndjson);
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
    expect(JSON.parse((await get(`${path}/1`, types.ndjson)).text)).toEqual(records[0]);
  });

  test('as XML are elements named by their singular', async () => {
    const { text } = await get(path, types.xml);
    const root = parseXml(text);
    expect(root.name).toBe(name);
    const elements = root.inner.filter((each) => typeof each !== 'string');
    expect(new Set(elements.map((each) => each.name))).toEqual(new Set([noun]));
    expect(elements.map((each, index) => fromXml(each, records[index]))).toEqual(records);
    const one = parseXml((await get(`${path}/1`, types.xml)).text);
    expect([one.name, fromXml(one, records[0])]).toEqual([noun, records[0]]);
  });

  test('as JSON:API follow its rules, and a client of it parses the records', async () => {
    const { json, text } = await get(`${path}?limit=3&page=2`, types.jsonapi);
    expect(breachesOf(json)).toEqual([]);
    expect(json.data.map(({ type, id }: { type: string; id: string }) => [type, id])).toEqual(
      records.slice(3, 6).map(({ id }) => [name, String(id)]),
    );
    expect(json.links).toMatchObject({
      self: `${service.url}${path}?limit=3&page=2`,
      prev: `${service.url}${path}?limit=3&page=1`,
    });
    expect(json.meta).toEqual({ total: records.length });
    const models = new Jsona().deserialize(text) as { id: string }[];
    for (const [index, model] of models.entries()) {
      const { id, ...fields } = records[index + 3] ?? {};
      const own = Object.entries(fields).filter(([field]) => field in model);
      expect(model).toMatchObject({ ...Object.fromEntries(own), id: String(id), type: name });
    }
    const one = await get(`${path}/1`, types.jsonapi);
    expect(breachesOf(one.json)).toEqual([]);
    expect(one.json.data.links.self).toBe(`${service.url}${path}/1`);
    for (const related of Object.values<{ links?: { related?: string } }>(
      one.json.data.relationships ?? {},
    )) {
      const address = related.links?.related;
      if (address === undefined) continue;
      expect((await service.send(`GET ${address.slice(service.url.length)}`)).status).toBe(200);
    }
  });
});

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajvFormats.default(ajv);
const validate = ajv.compile(jsonApiSchema);

function breachesOf(document: unknown): unknown[] {
  return validate(document) ? [] : (validate.errors ?? []);
}

describe('JSON:API', () => {
  test('includes embedded records, each once, and a client resolves them', async () => {
    const { json, text } = await get('/api/Posts?embed=user&limit=30', types.jsonapi);
    expect(breachesOf(json)).toEqual([]);
    const keys = json.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    const models = new Jsona().deserialize(text) as { user: { name: string } }[];
    expect(models.map(({ user }) => user.name)).toEqual(
      datasets.posts.slice(0, 30).map((post) => datasets.users[post.userId - 1]?.name),
    );
    const album = await get('/api/Albums/1?embed=photos,user&fields=id', types.jsonapi);
    expect(breachesOf(album.json)).toEqual([]);
    expect(album.json.data.attributes).toEqual({});
    const model = new Jsona().deserialize(album.text) as { photos: { title: string }[] };
    expect(model.photos.map((photo) => photo.title)).toEqual(
      datasets.photos.filter(({ albumId }) => albumId === 1).map((photo) => photo.title),
    );
    const reports = await get('/api/Employees?embed=manager,reports&limit=100', types.jsonapi);
    expect(breachesOf(reports.json)).toEqual([]);
    // All links belong to the response itself.
    expect(reports.json.included).toEqual([]);
  });
});

describe('a failure', () => {
  const problem = 'application/problem+json';

  test.each([
    ['GET /api/Posts?limit=0', 400, 'bad-request'],
    ['GET /api/Posts/9999', 404, 'not-found'],
    ['DELETE /api/Posts', 405, 'method-not-allowed'],
    ['PATCH /api/Posts/1', 415, 'unsupported-media-type'],
    ['GET /api/Posts?error=503', 503, 'service-unavailable'],
    ['GET /api/Users/9999/Posts', 404, 'not-found'],
    ['GET /api/Posts/1/nothing', 404, 'not-found'],
  ])('%s is a problem for clients that request one', async (target, status, kind) => {
    for (const accept of [problem, `application/json;q=0.5, ${problem};q=0.6`]) {
      const headers = { Accept: accept, 'Content-Type': 'text/plain' };
      const response = await service.send(target, {
        headers,
        ...(target.startsWith('PATCH') && { body: 'x' }),
      });
      expect([response.status, response.headers['content-type']]).toEqual([status, problem]);
      expect(response.json).toMatchObject({
        type: `${service.url}/guides/resources/problems#${kind}`,
        status,
        instance: `${service.url}${target.split(' ')[1]}`,
      });
      expect(response.headers['x-request-id']).toBeTruthy();
    }
    for (const accept of [`application/json, ${problem}`, '*/*', 'text/csv', `*/*, ${problem}`]) {
      const response = await service.send(target, { headers: { Accept: accept } });
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('links to the page of the guide that explains it', () => {
    const page = readFileSync(new URL('../../docs/resources/problems.md', import.meta.url), 'utf8');
    for (const title of [
      'Bad request',
      'Not found',
      'Method not allowed',
      'Not acceptable',
      'Conflict',
      'Precondition failed',
      'Unsupported media type',
    ])
      expect(page).toContain(`\n## ${title}\n`);
  });

  test('has the JSON:API form for its clients, with the parameter or the field in the body', async () => {
    const headers = { Accept: types.jsonapi };
    const read = await service.send('GET /api/Posts?limit=0&colour=red', { headers });
    expect(read.headers['content-type']).toBe(types.jsonapi);
    expect(breachesOf(read.json)).toEqual([]);
    expect(read.json.errors.map(({ source }: { source: object }) => source)).toEqual([
      { parameter: 'colour' },
      { parameter: 'limit' },
    ]);
    const sent = newRecords.find(({ name }) => name === 'people')?.sent ?? {};
    const json = { ...sent, address: { street: 'x' }, username: 5 };
    const written = await service.send('POST /api/People', { headers, json });
    expect(breachesOf(written.json)).toEqual([]);
    expect(
      written.json.errors.map(({ source }: { source: { pointer: string } }) => source.pointer),
    ).toEqual(expect.arrayContaining(['/username', '/address/city']));
    const missing = await service.send('GET /api/Posts/9999', { headers });
    expect(breachesOf(missing.json)).toEqual([]);
    expect(missing.json.errors).toMatchObject([{ status: '404', detail: expect.any(String) }]);
  });
});

describe('a body', () => {
  const inside = (type: string) => ({ 'Content-Type': type, 'X-Sandbox': 'bodies' });
  const form = 'application/x-www-form-urlencoded';

  test.each(newRecords)(
    'of $title as YAML, CSV or a form equals the same body as JSON',
    async ({ title, sent }) => {
      const headers = { 'X-Sandbox': 'bodies' };
      const whole = await service.send(`POST /api/${title}`, { headers, json: sent });
      const { id, ...record } = whole.json;
      const made = await Promise.all(
        (['yaml', 'csv'] as const).map(async (format) => {
          const { text } = await get(`/api/${title}/${id}`, types[format], headers);
          const body = format === 'yaml' ? text.replace(/^id: \d+\n/, '') : withoutFirstCell(text);
          return service.send(`POST /api/${title}`, { headers: inside(types[format]), body });
        }),
      );
      const fields = new URLSearchParams(flat(sent));
      made.push(
        await service.send(`POST /api/${title}`, { headers: inside(form), body: String(fields) }),
      );
      for (const response of made) {
        expect(response.status, response.text).toBe(201);
        const { id: _id, ...stored } = response.json;
        // Fields that begin with the current time were omitted from the form.
        expect(stored).toMatchObject(
          JSON.parse(JSON.stringify(response === made[2] ? sent : record)),
        );
        expect(Object.keys(stored)).toEqual(Object.keys(record));
      }
    },
  );

  test('has lists, numbers and nulls in a form and in CSV', async () => {
    const book = `title=A&author=B&isbn=9780306406157&publishedYear=-5&pages=3&price=1.5e1&available=false&tags=a&tags=b&rating=`;
    const { json } = await service.send('POST /api/Books', { headers: inside(form), body: book });
    expect(json).toMatchObject({
      publishedYear: -5,
      pages: 3,
      price: 15,
      available: false,
      tags: ['a', 'b'],
      rating: 0,
    });
    const csv =
      'tags,price,title,author,isbn,publishedYear,pages\r\na;b,2,"x, y","""B""",9780306406157,1,2\r\n';
    const put = await service.send('PUT /api/Books/1', { headers: inside('text/csv'), body: csv });
    expect(put.json).toMatchObject({
      id: 1,
      tags: ['a', 'b'],
      price: 2,
      title: 'x, y',
      author: '"B"',
    });
    const employee =
      'firstName=A&lastName=B&email=a@b.example&title=C&companyId=1&managerId=&address.street=s&address.city=c&address.state=x&address.zip=z&address.country=y&address.geo.lat=&address.geo.lng=';
    const person = await service.send('POST /api/Employees', {
      headers: inside(form),
      body: employee,
    });
    expect(person.json).toMatchObject({ managerId: null, address: { geo: null } });
  });

  test.each([
    [form, 'title=A&title=B', 400, 'title'],
    [form, 'title=A&pages=many', 400, 'pages'],
    [form, 'title=A&__proto__=x&constructor=y', 400, '__proto__'],
    [form, 'title.inner=A', 400, 'title'],
    [form, '%zz', 400, ''],
    [form, '{"title": "A"}', 415, 'but looks like JSON'],
    ['text/csv', 'title\r\n', 400, 'It has no row after the header.'],
    ['text/csv', 'title\r\na\r\nb\r\n', 400, 'It has several rows.'],
    ['text/csv', 'title,title\r\na,b\r\n', 400, 'has "title" twice'],
    ['text/csv', 'title,pages\r\na\r\n', 400, 'Invalid CSV'],
    ['text/csv', '"title\r\na', 400, 'Invalid CSV'],
    ['text/csv', `title\r\n${','.repeat(30_000)}`, 400, 'at most 20000 commas'],
    ['application/yaml', 'title: [', 400, 'Invalid YAML'],
    ['application/yaml', 'a: &a [x]\nb: *a', 400, 'Invalid YAML'],
    ['application/yaml', 'title: a\ntitle: b', 400, 'Invalid YAML'],
    ['application/yaml', '--- a\n--- b', 400, 'Invalid YAML'],
    ['application/yaml', 'title: !!js/function x', 400, 'Invalid YAML'],
    ['application/yaml', '['.repeat(20_000), 400, 'Invalid YAML'],
    ['application/yaml', '- x\n'.repeat(1_500), 400, 'More than 1000 values'],
    ['application/yaml', 'just text', 400, 'The body must be an object; got "just text".'],
    ['application/yaml', 'pages: .nan', 400, 'pages'],
    ['application/yaml', `title: ${'x'.repeat(70_000)}`, 413, '64 KiB'],
    ['text/csv', `title\r\n${'x'.repeat(70_000)}`, 413, '64 KiB'],
    ['application/xml', '<book/>', 415, 'text/csv'],
  ])('%s %.40j is %i: %s', async (type, body, status, says) => {
    const response = await service.send('POST /api/Books', { headers: inside(type), body });
    expect(response.status, response.text).toBe(status);
    expect(response.text).toContain(JSON.stringify(says).slice(1, -1));
  });

  test('that is compressed or not UTF-8 is rejected', async () => {
    const headers = { ...inside('text/csv'), 'Content-Encoding': 'gzip' };
    expect((await service.send('POST /api/Books', { headers, body: 'x' })).status).toBe(415);
    const body = Uint8Array.of(0x61, 0xff);
    const broken = await service.send('POST /api/Books', {
      headers: inside('application/yaml'),
      body,
    });
    expect(broken.status).toBe(400);
    const patch = await service.send('PATCH /api/Books/1', {
      headers: inside('application/yaml'),
      body: 'a: 1',
    });
    expect(patch.status).toBe(415);
  });
});

function withoutFirstCell(csv: string): string {
  return csv.replace(/^id,/, '').replace(/(?<=\r\n)\d+,/, '');
}

/** Names and values in the form format. */
function flat(record: object, before = ''): [string, string][] {
  return Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' ? flat(value, `${before}${name}.`) : [[before + name, String(value)]],
  );
}

const python = foreignProgram('yaml');
const sqlite = foreignProgram('sqlite3');
const yq = foreignProgram('yq');

/** Parses every file, and writes the result as JSON: one process for all. */
const readAll = `
import csv, glob, io, json, os, sys, yaml
read = {}
for path in glob.glob(os.path.join(sys.argv[1], '*')):
    text = open(path, newline='', encoding='utf-8').read()
    name = os.path.basename(path)
    read[name] = yaml.safe_load(text) if name.endswith('.yaml') else list(csv.DictReader(io.StringIO(text), strict=True))
json.dump(read, sys.stdout)
`;

python.test("Python's CSV and YAML libraries read every record unchanged", async () => {
  const headers = { 'X-Sandbox': 'python' };
  await service.send('POST /api/Books', { headers, json: awkward });
  const expected: Record<string, Record<string, unknown>[]> = {};
  for (const { title } of newRecords) {
    expected[title] = (await service.send(`GET /api/${title}`, { headers })).json;
    for (const format of ['csv', 'yaml'] as const) {
      const { text } = await get(`/api/${title}`, types[format], headers);
      writeFileSync(join(folder, `${title}.${format}`), text);
    }
    const one = await get(`/api/${title}/1`, types.yaml, headers);
    writeFileSync(join(folder, `${title}-1.yaml`), one.text);
  }
  const read = JSON.parse(await python.run('-c', readAll, folder));
  for (const [title, records] of Object.entries(expected)) {
    expect(read[`${title}.yaml`]).toEqual(records);
    expect(read[`${title}-1.yaml`]).toEqual(records[0]);
    const cells = (record: object, before = ''): [string, string][] =>
      Object.entries(record).flatMap(([field, value]) => {
        if (Array.isArray(value)) return [[before + field, value.join(';')]];
        if (value !== null && typeof value === 'object') return cells(value, `${before}${field}.`);
        return [[before + field, value === null ? '' : String(value)]];
      });
    const rows = records.map((record) => Object.fromEntries(cells(record)));
    for (const [index, row] of rows.entries()) {
      const { 'address.geo': _none, ...present } = row;
      expect(read[`${title}.csv`][index]).toMatchObject(present);
    }
    expect(read[`${title}.csv`]).toHaveLength(records.length);
  }
});

yq.test('yq parses the YAML of every collection', async () => {
  const files = await Promise.all(
    newRecords.map(async ({ title }) => {
      const file = join(folder, `${title}-for-yq.yaml`);
      writeFileSync(file, (await get(`/api/${title}`, types.yaml)).text);
      return file;
    }),
  );
  const read = JSON.parse(
    execFileSync(yq.command, ['--slurp', '.', ...files], { encoding: 'utf8' }),
  );
  const expected = newRecords.map(
    async ({ title }) => (await service.send(`GET /api/${title}`)).json,
  );
  expect(read).toEqual(await Promise.all(expected));
});

sqlite.test('SQLite imports the CSV unchanged', async () => {
  const { text } = await get('/api/Employees?embed=company,reports', types.csv);
  const file = join(folder, 'employees-with-company.csv');
  writeFileSync(file, text);
  const script = [
    '.mode csv',
    `.import ${file} employees`,
    '.mode json',
    'select count(*) as n, sum(salary) as salaries, sum("address.city" = \'\') as cityless, sum("managerId" = \'\') as heads, max("company.name") as company from employees;',
  ].join('\n');
  const [read] = JSON.parse(
    execFileSync(sqlite.command, [':memory:'], { input: script, encoding: 'utf8' }),
  );
  const { employees, companies } = datasets;
  expect(read).toEqual({
    n: employees.length,
    salaries: employees.reduce((sum, { salary }) => sum + salary, 0),
    cityless: 0,
    heads: employees.filter(({ managerId }) => managerId === null).length,
    company: companies
      .map(({ name }) => name)
      .sort()
      .at(-1),
  });
});
