import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from 'tus-js-client';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const mebibyte = 1024 * 1024;

interface Uploaded {
  readonly url: string;
  readonly progress: readonly number[];
}

/** Uploads with tus-js-client, with the options that its users have. */
function upload(
  bytes: Buffer,
  sandbox: string,
  options: Partial<ConstructorParameters<typeof Upload>[1]> = {},
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const progress: number[] = [];
    const client = new Upload(bytes, {
      endpoint: `${service.url}/s/${sandbox}/api/http/uploads/tus`,
      metadata: { filename: 'bild é.png', filetype: 'image/png' },
      chunkSize: 5 * mebibyte,
      retryDelays: [0, 100, 1000],
      onChunkComplete: (_size, accepted) => progress.push(accepted),
      onError: reject,
      onSuccess: () => resolve({ url: client.url ?? '', progress }),
      ...options,
    });
    client.start();
  });
}

test('tus-js-client uploads in pieces, and the file equals the original', async () => {
  const sandbox = randomUUID();
  const bytes = randomBytes(12 * mebibyte);
  const { url, progress } = await upload(bytes, sandbox);
  expect(progress).toEqual([5 * mebibyte, 10 * mebibyte, 12 * mebibyte]);
  const id = url.split('/').at(-1);
  const own = `/s/${sandbox}/api/http/uploads`;
  const { json } = await service.send(`GET ${own}/${id}`);
  expect(json).toMatchObject({ name: 'bild é.png', type: 'image/png', size: bytes.length });
  const content = await service.send(`GET ${own}/content/${id}`);
  expect(content.bytes.equals(bytes)).toBe(true);
});

test('tus-js-client sends everything at once by default', async () => {
  const sandbox = randomUUID();
  const bytes = randomBytes(11 * mebibyte);
  const { url } = await upload(bytes, sandbox, { chunkSize: Number.POSITIVE_INFINITY });
  const head = await service.send(`HEAD ${new URL(url).pathname}`, {
    headers: { 'Tus-Resumable': '1.0.0' },
  });
  expect(head.headers['upload-offset']).toBe(String(bytes.length));
});

test('tus-js-client resumes an aborted upload, and terminates one', async () => {
  const sandbox = randomUUID();
  const bytes = randomBytes(2 * mebibyte);
  const first = await new Promise<string>((resolve, reject) => {
    const client = new Upload(bytes, {
      endpoint: `${service.url}/s/${sandbox}/api/http/uploads/tus`,
      chunkSize: mebibyte,
      onError: reject,
      onChunkComplete() {
        client.abort().then(() => resolve(client.url ?? ''), reject);
      },
    });
    client.start();
  });
  const requests: string[] = [];
  const { url } = await upload(bytes, sandbox, {
    uploadUrl: first,
    onBeforeRequest: (request) => {
      requests.push(request.getMethod());
    },
  });
  expect(url).toBe(first);
  expect(requests).toEqual(['HEAD', 'PATCH']);
  await Upload.terminate(url, {});
  const { json } = await service.send(`GET /s/${sandbox}/api/http/uploads`);
  expect(json).toEqual([]);
});

test.each([2, 3])('tus-js-client uploads %i parts in parallel', async (parallelUploads) => {
  const sandbox = randomUUID();
  const bytes = randomBytes(3 * mebibyte + 1);
  const { url } = await upload(bytes, sandbox, { parallelUploads });
  const own = `/s/${sandbox}/api/http/uploads`;
  const content = await service.send(`GET ${own}/content/${url.split('/').at(-1)}`);
  expect(content.bytes.equals(bytes)).toBe(true);
  const { json } = await service.send(`GET ${own}`);
  expect(json).toMatchObject([{ name: 'bild é.png', size: bytes.length }]);
});

test('tus-js-client sends the length of a stream at its end', async () => {
  const sandbox = randomUUID();
  const bytes = randomBytes(2 * mebibyte + 5);
  const { url } = await upload(Readable.from([bytes]) as never, sandbox, {
    chunkSize: mebibyte,
    uploadLengthDeferred: true,
  });
  const path = `/s/${sandbox}/api/http/uploads/content/${url.split('/').at(-1)}`;
  expect((await service.send(`GET ${path}`)).bytes.equals(bytes)).toBe(true);
});

test.each([
  ['all of its bytes', Number.POSITIVE_INFINITY, ['POST']],
  ['its first bytes', mebibyte, ['POST', 'PATCH', 'PATCH']],
])('tus-js-client creates an upload with %s', async (_name, chunkSize, expected) => {
  const sandbox = randomUUID();
  const bytes = randomBytes(2 * mebibyte + 5);
  const requests: string[] = [];
  const { url } = await upload(bytes, sandbox, {
    chunkSize,
    uploadDataDuringCreation: true,
    onBeforeRequest: (request) => {
      requests.push(request.getMethod());
    },
  });
  expect(requests).toEqual(expected);
  const path = `/s/${sandbox}/api/http/uploads/content/${url.split('/').at(-1)}`;
  expect((await service.send(`GET ${path}`)).bytes.equals(bytes)).toBe(true);
});

test('tus-js-client creates an expired upload again', async () => {
  const sandbox = randomUUID();
  const bytes = randomBytes(mebibyte);
  const own = `${service.url}/s/${sandbox}`;
  const made = await fetch(`${own}/api/http/uploads/tus`, {
    method: 'POST',
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(bytes.length) },
  });
  await fetch(`${own}/api/sandbox/clock`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"offsetSeconds": 90000}',
  });
  const expired = made.headers.get('location') ?? '';
  const { url } = await upload(bytes, sandbox, { uploadUrl: expired });
  expect(url).not.toBe(expired);
});
