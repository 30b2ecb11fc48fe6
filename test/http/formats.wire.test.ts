import { decode as decodeMessagePack } from '@msgpack/msgpack';
import { decode as decodeCbor } from 'cborg';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { foreignProgram } from '../support/foreign-program.js';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const record = {
  id: 7,
  title: 'Tea, "green" & <hot>',
  text: 'Grüße, señor: 5 €, “こんにちは”, 😀',
  price: 12.5,
  available: true,
  tags: ['drink', 'hot'],
  publishedAt: '2026-01-31T12:00:00Z',
  note: null,
};

test.each([
  ['application/json', 'application/json; charset=utf-8'],
  ['text/xml', 'text/xml; charset=utf-8'],
  ['text/csv;q=0.9, application/json;q=0.1', 'text/csv; charset=utf-8'],
  ['application/vnd.msgpack', 'application/vnd.msgpack'],
  ['application/cbor', 'application/cbor'],
  ['text/html, */*;q=0.1', 'text/html; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
])('Accept: %s', async (Accept, type) => {
  const { status, headers } = await send('GET /api/http/formats', { headers: { Accept } });
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(headers.vary).toContain('Accept');
});

test('an unacceptable request is 406, which lists the formats', async () => {
  const { status, json, headers } = await send('GET /api/http/formats', {
    headers: { Accept: 'image/png' },
  });
  expect([status, headers.vary]).toEqual([406, expect.stringContaining('Accept')]);
  expect(json.available).toEqual(
    expect.arrayContaining(['application/json', 'text/csv', 'application/vnd.msgpack']),
  );
});

describe('formats that Node parses', () => {
  test.each([
    ['json', (bytes: Buffer) => JSON.parse(bytes.toString())],
    ['ndjson', (bytes: Buffer) => JSON.parse(bytes.toString())],
    ['yaml', (bytes: Buffer) => parseYaml(bytes.toString())],
    ['msgpack', decodeMessagePack],
    ['cbor', decodeCbor],
  ] as const)('%s contains the record', async (format, parse) => {
    const { bytes } = await send(`GET /api/http/formats/${format}`);
    expect(parse(bytes)).toEqual(record);
  });
});

describe('charsets', () => {
  const decoders = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'shift_jis'] as const;

  test.each(decoders)('%s is encoded as labelled', async (charset) => {
    const { headers, bytes } = await send(`GET /api/http/formats/json?charset=${charset}`);
    expect(headers['content-type']).toBe(`application/json; charset=${charset}`);
    const { title, text } = JSON.parse(new TextDecoder(charset, { fatal: true }).decode(bytes));
    expect(title).toBe(record.title);
    expect(text).toMatch(/[^\x20-\x7e]/);
    expect(text).not.toContain('\ufffd');
  });

  test('iso-8859-1 has a byte for each character', async () => {
    const { bytes } = await send('GET /api/http/formats/text?charset=iso-8859-1');
    expect(bytes.toString('latin1')).toContain('Grüße, señor: ½ ¿');
  });

  test.each([
    ['utf-8', 'efbbbf'],
    ['utf-16le', 'fffe'],
    ['utf-16be', 'feff'],
  ])('%s begins with its byte order mark on request', async (charset, mark) => {
    const path = `/api/http/formats/text?charset=${charset}`;
    const without = await send(`GET ${path}`);
    const { bytes } = await send(`GET ${path}&bom=true`);
    expect(bytes.toString('hex')).toBe(mark + without.bytes.toString('hex'));
  });

  test('the label can be omitted', async () => {
    const { headers } = await send('GET /api/http/formats/csv?charset=utf-16le&label=false');
    expect(headers['content-type']).toBe('text/csv');
  });

  test('XML and HTML declare their charset themselves', async () => {
    const xml = await send('GET /api/http/formats/xml?charset=shift_jis&label=false');
    expect(xml.text).toMatch(/^<\?xml version="1.0" encoding="shift_jis"\?>/);
    const html = await send('GET /api/http/formats/html?charset=windows-1252');
    expect(html.text).toContain('<meta charset="windows-1252">');
  });

  test('the format cannot be used to build a page of the service', async () => {
    const { headers } = await send('GET /api/http/formats/html');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

test.each([
  ['formats?charset=ebcdic', 'charset'],
  ['formats/json?charset=shift_jis&bom=true', 'bom'],
  ['formats/cbor?bom=true', 'bom'],
  ['formats/json?bom=1', 'bom'],
  ['formats/json?lable=false', 'lable'],
  ['formats/toml', 'format'],
  ['formats/problem?status=200', 'status'],
])('%s is rejected, and the response names %s', async (path, field) => {
  const { status, json } = await send(`GET /api/http/${path}`);
  expect([status, json.errors[0].field]).toEqual([400, field]);
});

test.each([
  [403, ''],
  [401, 'www-authenticate'],
  [503, 'retry-after'],
])('problem details of %i have the status of the response', async (status, companion) => {
  const response = await rawExchange(
    service.url,
    `GET /api/http/formats/problem?status=${status} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  expect(response.status).toBe(status);
  expect(response.head.toLowerCase()).toContain('content-type: application/problem+json\r\n');
  expect(response.head.toLowerCase()).toContain(companion);
  expect(JSON.parse(response.body)).toMatchObject({
    status,
    instance: `/api/http/formats/problem?status=${status}`,
    title: expect.any(String),
  });
});

/** Each format by a Python parser, in one start. */
const program = `
import csv, io, json, sys, urllib.request
import xml.etree.ElementTree as tree
import cbor2, msgpack, yaml
base = sys.argv[1] + '/api/http/formats/'
def get(path):
    with urllib.request.urlopen(base + path) as answer:
        return answer.read(), answer.headers.get_content_charset()
def text(path):
    body, charset = get(path)
    return body.decode(charset)
out = {
  'json': json.loads(text('json')),
  'bom': json.loads(get('json?bom=true')[0].decode('utf-8-sig')),
  'yaml': yaml.safe_load(text('yaml?charset=utf-16be')),
  'csv': next(csv.DictReader(io.StringIO(text('csv?charset=utf-16le'), newline=''))),
  'msgpack': msgpack.unpackb(get('msgpack')[0]),
  'cbor': cbor2.loads(get('cbor')[0]),
  'xml': {e.tag: e.text for e in tree.fromstring(get('xml')[0])},
  'xml16': tree.fromstring(get('xml?charset=utf-16le&bom=true')[0]).find('text').text,
  'xml1252': tree.fromstring(get('xml?charset=windows-1252&label=false')[0]).find('text').text,
  'sjis': json.loads(text('json?charset=shift_jis'))['text'],
  'latin1': text('text?charset=iso-8859-1'),
}
out['yaml']['publishedAt'] = str(out['yaml']['publishedAt'])
print(json.dumps(out))
`;

const python = foreignProgram('cbor2');

python.test("Python's parsers read the same record in every format", async () => {
  const read = JSON.parse(await python.run('-c', program, service.url));
  for (const format of ['json', 'bom', 'msgpack', 'cbor']) {
    expect(read[format], format).toEqual(record);
  }
  expect(read.yaml).toMatchObject({ title: record.title, text: record.text, note: null });
  const { id, price, available, tags, note, ...texts } = record;
  expect([id, price, available, tags, note]).toHaveLength(5);
  expect(read.csv).toMatchObject({ ...texts, id: '7', price: '12.5', available: 'true' });
  expect(read.xml).toMatchObject({ ...texts, id: '7', price: '12.5', available: 'true' });
  expect(read.xml16).toBe(record.text);
  expect(read.xml1252).toBe('Grüße, señor: 5 €, “quoted”');
  expect(read.sjis).toBe('こんにちは、世界 ｱｲｳ');
  expect(read.latin1).toContain('Grüße, señor: ½ ¿');
});
