/** Forms that other parsers read in part, or not at all: RFC 2046 section 5.1.1, RFC 7578 section 4. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const { send } = useService();

const headers = { 'Content-Type': 'multipart/form-data; boundary=B', 'X-Sandbox': 'multipart' };
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}\r\n`;

interface GivenPart {
  /** White space after the boundary. */
  readonly padding?: string;
  readonly head: string;
  readonly text?: string;
}

/** Returns a body of these parts in Latin-1. */
function bodyOf(parts: readonly GivenPart[], end = ''): Buffer {
  const written = parts.map(
    ({ padding = '', head, text = '1' }) => `--B${padding}\r\n${head}\r\n${text}\r\n`,
  );
  return Buffer.from(`${written.join('')}--B--${end}\r\n`, 'latin1');
}

const a = { head: disposition('name="a"') };
const b = { head: disposition('name="b"'), text: '2' };

/** Bodies with white space after a boundary, which all read alike. */
const padded: readonly (readonly [name: string, body: Buffer, form: object])[] = [
  ['a space before the first part', bodyOf([{ ...a, padding: ' ' }, b]), { a: '1', b: '2' }],
  ['a tab before a later part', bodyOf([a, { ...b, padding: '\t' }]), { a: '1', b: '2' }],
  [
    'spaces and tabs everywhere',
    bodyOf(
      [
        { ...a, padding: '  \t' },
        { ...b, padding: ' ' },
      ],
      ' \t',
    ),
    { a: '1', b: '2' },
  ],
];

test.each(padded)('%s is read', async (_name, body, form) => {
  const { json } = await send('POST /api/methods/post', { headers, body });
  expect(json.form).toEqual(form);
  expect(json).not.toHaveProperty('parseError');
  expect((await send('POST /httpbin/post', { headers, body })).json.form).toEqual(form);
});

const file = { head: disposition('name="f"; filename="x.txt"'), text: 'content' };

test('an upload counts files after white space, too', async () => {
  const one = bodyOf([{ ...file, padding: ' ' }]);
  const { status, json } = await send('POST /api/http/uploads', { headers, body: one });
  expect([status, json.name, json.size]).toEqual([201, 'x.txt', 7]);
  const two = bodyOf([file, { ...file, padding: '\t' }]);
  const several = await send('POST /api/http/uploads', { headers, body: two });
  expect([several.status, several.json.message]).toEqual([
    400,
    expect.stringContaining('several files'),
  ]);
});

test.each([
  ['a later name', bodyOf([{ head: disposition('name="a"; name="b"') }]), 'more than one name'],
  [
    'a later file name',
    bodyOf([{ head: disposition('name=a; filename=b; filename="c"') }]),
    'more than one filename',
  ],
  ['two dispositions', bodyOf([{ head: a.head + b.head }]), 'more than one Content-Disposition'],
  [
    'two types',
    bodyOf([{ head: `${a.head}Content-Type: a/b\r\ncontent-type: c/d\r\n` }]),
    'more than one Content-Type',
  ],
  ['text after a boundary', bodyOf([{ ...a, padding: 'x' }]), 'has more text after it'],
  [
    'a line break in a name',
    bodyOf([b, { head: disposition('name="a\rb"') }]),
    'only 1 of its 2 parts',
  ],
])('%s is reported everywhere', async (_name, body, message) => {
  const { json } = await send('POST /api/methods/post', { headers, body });
  expect(json.parseError).toContain(message);
  expect(json).not.toHaveProperty('form');
  const { json: bin } = await send('POST /httpbin/post', { headers, body });
  expect([bin.parseError, bin.form]).toEqual([expect.stringContaining(message), {}]);
  const upload = await send('POST /api/http/uploads', { headers, body });
  expect([upload.status, upload.json.message]).toEqual([400, expect.stringContaining(message)]);
});

const charset = { head: disposition('name="_charset_"') };
const cafe = { head: disposition('name="a"'), text: 'caf\xe9' };

test.each([
  ['in the charset that _charset_ names', [{ ...charset, text: 'iso-8859-1' }, cafe], 'café'],
  ['that comes before _charset_', [cafe, { ...charset, text: 'windows-1252' }], 'café'],
  [
    'in a charset of several bytes',
    [
      { ...charset, text: 'Shift_JIS' },
      { ...cafe, text: '\x82\xb1' },
    ],
    'こ',
  ],
  [
    'with its own charset',
    [
      { ...charset, text: 'utf-8' },
      { ...cafe, head: `${a.head}Content-Type: text/plain; charset="ISO-8859-1"\r\n` },
    ],
    'café',
  ],
])('a text %s is decoded', async (_name, parts, text) => {
  const { json } = await send('POST /api/methods/post', { headers, body: bodyOf(parts) });
  expect(json.form.a).toBe(text);
  expect(json).not.toHaveProperty('parseError');
});

test('names follow _charset_, too', async () => {
  const body = bodyOf([
    { ...charset, text: 'latin1' },
    { head: disposition('name="caf\xe9"; filename="\xe9.txt"') },
  ]);
  const { json } = await send('POST /api/methods/post', { headers, body });
  expect(json.files[0]).toMatchObject({ name: 'café', filename: 'é.txt' });
});

test.each([
  ['a text', [cafe], 'the text of part 1 is not UTF-8', 'caf\ufffd'],
  [
    'a text in a wrong charset',
    [{ ...charset, text: 'utf-8' }, cafe],
    'the text of part 2 is not UTF-8',
    'caf\ufffd',
  ],
  [
    'an unknown charset',
    [
      { ...charset, text: 'latin-99' },
      { ...cafe, text: 'x' },
    ],
    'unknown charset "latin-99"',
    'x',
  ],
  ['a name', [a, { head: disposition('name="\xe9"') }], 'the head of part 2 is not UTF-8', '1'],
])('%s that cannot be decoded is reported', async (_name, parts, message, text) => {
  const { json } = await send('POST /api/methods/post', { headers, body: bodyOf(parts) });
  expect(json.form.a).toBe(text);
  expect(json.parseError).toContain(message);
});

const werkzeug = foreignProgram('flask');

werkzeug.test('werkzeug reads the same fields after white space', () => {
  const code = `
import io, json, sys
from werkzeug.formparser import parse_form_data
bodies = json.load(sys.stdin)
forms = []
for body in bodies:
    data = body.encode('latin-1')
    environ = {'REQUEST_METHOD': 'POST', 'CONTENT_TYPE': 'multipart/form-data; boundary=B',
               'CONTENT_LENGTH': str(len(data)), 'wsgi.input': io.BytesIO(data)}
    forms.append(parse_form_data(environ)[1].to_dict())
print(json.dumps(forms))`;
  const input = JSON.stringify(padded.map(([, body]) => body.toString('latin1')));
  const output = execFileSync(werkzeug.command, ['-c', code], { input });
  expect(JSON.parse(output.toString())).toEqual(padded.map(([, , form]) => form));
});

const go = foreignProgram('go');

go.test('Go reads the same fields after white space', () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-multipart-'));
  const program = `package main

import (
	"encoding/json"
	"mime/multipart"
	"os"
	"strings"
)

func main() {
	var bodies []string
	json.NewDecoder(os.Stdin).Decode(&bodies)
	forms := []map[string]string{}
	for _, body := range bodies {
		form, err := multipart.NewReader(strings.NewReader(body), "B").ReadForm(1 << 20)
		if err != nil {
			panic(err)
		}
		values := map[string]string{}
		for name, texts := range form.Value {
			values[name] = texts[0]
		}
		forms = append(forms, values)
	}
	json.NewEncoder(os.Stdout).Encode(forms)
}
`;
  try {
    writeFileSync(join(folder, 'main.go'), program);
    const input = JSON.stringify(padded.map(([, body]) => body.toString('latin1')));
    const output = execFileSync(go.command, ['run', join(folder, 'main.go')], { input });
    expect(JSON.parse(output.toString())).toEqual(padded.map(([, , form]) => form));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
