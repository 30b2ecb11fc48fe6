/** Calls of the method endpoints. */

import type { CallTable } from '../caller.js';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const anyMethods = [...methods, 'head', 'options', 'trace'] as const;
const query = { city: 'Zürich' };

export const callMethods: CallTable = async (caller) => {
  for (const method of methods) {
    const operationId = `${method}Methods${method.charAt(0).toUpperCase()}${method.slice(1)}`;
    await caller.call(operationId, 'A query', { query });
    await caller.call(operationId, 'A JSON body', { json: { name: 'Ada' } });
    if (method === 'get') continue;
    await caller.call(operationId, 'A form', {
      type: 'application/x-www-form-urlencoded',
      body: 'name=Ada&tag=a&tag=b',
    });
    await caller.call(operationId, 'Plain text', { type: 'text/plain', body: 'Hello' });
    await caller.call(operationId, 'Bytes that are not text', {
      type: 'application/octet-stream',
      body: Uint8Array.of(0xff, 0),
      isNoExample: true,
    });
    await caller.call(operationId, 'Broken JSON', {
      type: 'application/json',
      body: '{"name": Ada}',
      isNoExample: true,
    });
  }
  await caller.call('postMethodsPost', 'A file', {
    type: 'multipart/form-data; boundary=end',
    body: [
      '--end',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--end--',
      '',
    ].join('\r\n'),
    isNoExample: true,
  });
  await caller.call('headMethodsHead', 'Headers only');
  await caller.call('optionsMethodsOptions', 'The endpoints');
  for (const method of anyMethods) {
    await caller.call(`${method}MethodsAny`, 'A query', {
      query,
      // OPTIONS lists every method that Node supports.
      unkeptHeaders: ['allow'],
    });
  }
  await caller.call('postMethodsAny', 'A JSON body', { json: { name: 'Ada' } });
};
