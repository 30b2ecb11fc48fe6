import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { curlCommand, fitsCommandLine } from '../../../pages/bins/request/curl-command.js';
import { testsWith } from '../../support/foreign-program.js';
import { useService } from '../../support/service.js';

const service = useService();
const noHeaders = { headers: [], body: null };

test.each([
  [
    { method: 'GET', url: 'http://h/a', ...noHeaders },
    'curl \\\n  http://h/a \\\n  -H User-Agent: \\\n  -H Accept:',
  ],
  [
    { method: 'POST', url: 'http://h/a', headers: [{ name: 'X', value: '' }], body: '@x' },
    "curl \\\n  http://h/a \\\n  -H 'X;' \\\n  -H User-Agent: \\\n  -H Accept: \\\n  -H Content-Type: \\\n  --data-raw @x",
  ],
])('%j', (request, command) => {
  expect(curlCommand(request)).toBe(command);
});

testsWith('curl').describe('a request repeated by its command', () => {
  const bins = '/api/webhooks/bins';
  const text = `it's "quoted" $HOME \`id\` \\ \t ž🐎 %s\n<script>&;|\n`;

  test.each<
    [
      string,
      string,
      string,
      readonly (readonly [string, string])[],
      string | Uint8Array | undefined,
    ]
  >([
    ['a plain GET', 'GET', '', [['Accept', '*/*']], undefined],
    ['without the headers that curl adds', 'GET', '/a', [], undefined],
    ['HEAD', 'HEAD', '/x', [], undefined],
    ['DELETE', 'DELETE', '/x?y=1&z=%20', [], undefined],
    ['an odd method', 'M-SEARCH', '', [], 'b'],
    ['GET with a body', 'GET', '', [['Content-Type', 'a/b']], 'b'],
    ['JSON', 'POST', '', [['Content-Type', 'application/json']], '{"a":[1,"x"]}'],
    ['a body without a type', 'POST', '', [], 'a=b'],
    ['a body that looks like a file', 'PUT', '', [], '@/etc/passwd'],
    ['text of all kinds', 'POST', '', [], text],
    ['carriage returns', 'POST', '', [], 'a\r\nb\r'],
    ['bytes', 'PATCH', '', [], Buffer.from([0, 255, 10, 13, 39])],
    ['a long body', 'POST', '', [], 'x'.repeat(200_000)],
    [
      'odd headers',
      'POST',
      '',
      [
        ['X-Quote', `'"$(id)`],
        ['X-Empty', ''],
        ['x-twice', '1'],
        ['X-Twice', '2'],
      ],
      'b',
    ],
    ['dots, brackets and braces', 'GET', "/../a/./b/{x,y}/[1-3]/'?q={1}&r[]=2", [], undefined],
  ])('%s', async (_name, method, rest, headers, body) => {
    const { json: bin } = await service.send(`POST ${bins}`);
    const options = body === undefined ? { headers } : { headers, body };
    await service.send(`${method} /api/webhooks/${bin.id}${rest}`, options);
    const list = async () => (await service.send(`GET ${bins}/${bin.id}/requests`)).json;
    const [original] = await list();
    const isPlain = original.bodyEncoding === 'utf-8' && fitsCommandLine(original.body);
    const command = curlCommand({
      method: original.method,
      url: `${service.url}${original.path}${original.queryString && `?${original.queryString}`}`,
      headers: original.headers,
      body: isPlain ? original.body : null,
      bodyUrl:
        isPlain || original.bodySize === 0
          ? undefined
          : `${service.url}${bins}/${bin.id}/requests/${original.id}/body`,
    });
    await promisify(execFile)('sh', ['-c', command], { timeout: 10_000 });
    const [again, , ...more] = await list();
    expect(more).toEqual([]);
    const essence = (request: typeof original) => ({
      ...request,
      id: null,
      receivedAt: null,
      headers: request.headers.filter(
        ({ name }: { name: string }) => !/^(host|connection|content-length)$/i.test(name),
      ),
    });
    expect(essence(again)).toEqual(essence(original));
  });
});
