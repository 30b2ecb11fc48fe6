/** Solutions of the track rest. */

import type { HttpResponse } from '../../support/service.js';
import { type Call, headers, pathOf, type Solutions } from './solution.js';

const event = { name: 'Code', startsAt: '2027-05-01T16:00:00Z', endsAt: '2027-05-01T17:00:00Z' };
const book = {
  title: 'Emma',
  author: 'Jane Austen',
  isbn: '9780306406157',
  publishedYear: 1815,
  pages: 474,
};

const tagOf = ({ headers: received }: HttpResponse) => received.etag ?? '';
const patchEvent = (call: Call, tag?: string) =>
  call('PATCH /api/Events/1', {
    json: { ticketsSold: 1 },
    ...(tag !== undefined && headers({ 'If-Match': tag })),
  });
const merge = { 'Content-Type': 'application/merge-patch+json' };
const patchType = { 'Content-Type': 'application/json-patch+json' };
const test = [{ op: 'test', path: '/price', value: 12.99 }];
const replace = [...test, { op: 'replace', path: '/price', value: 9.5 }];

export const restSolutions: Solutions = {
  'rest-filter': {
    solve: (call) => call('GET /api/Events?category=music&price_lte=50'),
    misses: [
      [/not limit the price/, (call) => call('GET /api/Events?category=music')],
      [/category=music/, (call) => call('GET /api/Events?price_lte=50')],
    ],
  },
  'rest-sort': {
    solve: (call) => call('GET /api/Books?sort=-price'),
    misses: [[/the lowest comes first/, (call) => call('GET /api/Books?sort=price')]],
  },
  'rest-fields': {
    solve: (call) => call('GET /api/Books?fields=id,title'),
    misses: [[/exactly id and title/, (call) => call('GET /api/Books?fields=title')]],
  },
  'rest-pages': {
    async solve(call) {
      let next: string | undefined = '/api/Books?limit=10';
      while (next !== undefined) {
        const { headers: received }: HttpResponse = await call(`GET ${next}`);
        const link = /<https?:\/\/[^/]+(?:\/s\/[^/]+)?([^>]+)>; rel="next"/.exec(
          String(received.link ?? ''),
        );
        next = link?.[1];
      }
    },
    misses: [
      [/10 books/, (call) => call('GET /api/Books?limit=25')],
      [
        /not the second page/,
        async (call) => [
          await call('GET /api/Books?limit=10'),
          await call('GET /api/Books?limit=10&page=3'),
        ],
      ],
    ],
  },
  'rest-changes': {
    async solve(call) {
      const { json } = await call('GET /api/Books/changes');
      await call('PATCH /api/Books/1', { json: { price: 1 } });
      await call(`GET /api/Books/changes?since=${json.token}`);
    },
    misses: [
      [
        /current token again/,
        async (call) => [
          await call('GET /api/Books/changes'),
          await call('PATCH /api/Books/1', { json: { price: 1 } }),
          await call('GET /api/Books/changes'),
        ],
      ],
    ],
  },
  'rest-create': {
    async solve(call) {
      await call(`GET ${pathOf(await call('POST /api/Events', { json: event }))}`);
    },
    misses: [
      [/not created/, (call) => call('POST /api/Events', { json: { name: 'x' } })],
      [
        /another event/,
        async (call) => [
          await call('POST /api/Events', { json: event }),
          await call('GET /api/Events/1'),
        ],
      ],
    ],
  },
  'rest-validation': {
    async solve(call) {
      await call('POST /api/Books', { json: { title: 'Emma' } });
      await call('POST /api/Books', { json: book });
    },
    misses: [[/This book is valid/, (call) => call('POST /api/Books', { json: book })]],
  },
  'rest-idempotency': {
    async solve(call) {
      const options = { json: book, ...headers({ 'Idempotency-Key': '"one"' }) };
      await call('POST /api/Books', options);
      await call('POST /api/Books', options);
    },
    misses: [
      [/without Idempotency-Key/, (call) => call('POST /api/Books', { json: book })],
      [
        /the same body/,
        async (call) => {
          const key = headers({ 'Idempotency-Key': '"one"' });
          await call('POST /api/Books', { json: book, ...key });
          await call('POST /api/Books', { json: { ...book, title: 'Persuasion' }, ...key });
        },
      ],
      [
        /another key/,
        async (call) => {
          await call('POST /api/Books', { json: book, ...headers({ 'Idempotency-Key': 'a' }) });
          await call('POST /api/Books', { json: book, ...headers({ 'Idempotency-Key': 'b' }) });
        },
      ],
    ],
  },
  'rest-create-only': {
    solve: (call) =>
      call('PUT /api/Books/900?upsert=true', { json: book, ...headers({ 'If-None-Match': '*' }) }),
    misses: [
      [/Without a condition/, (call) => call('PUT /api/Books/900?upsert=true', { json: book })],
      [
        /upsert=true/,
        (call) => call('PUT /api/Books/900', { json: book, ...headers({ 'If-None-Match': '*' }) }),
      ],
      [
        /it exists/,
        (call) =>
          call('PUT /api/Books/1?upsert=true', {
            json: book,
            ...headers({ 'If-None-Match': '*' }),
          }),
      ],
    ],
  },
  'rest-delete': {
    solve: async (call) => [await call('DELETE /api/Books/3'), await call('GET /api/Books/3')],
    misses: [
      [
        /another book/,
        async (call) => [await call('DELETE /api/Books/3'), await call('GET /api/Books/4')],
      ],
      [/not deleted/, (call) => call('DELETE /api/Books/99999')],
    ],
  },
  'rest-trash': {
    async solve(call) {
      await call('DELETE /api/Todos/5');
      await call('GET /api/Todos/5');
      await call('POST /api/Todos/5/restore');
    },
    misses: [
      [/purge deletes/, (call) => call('DELETE /api/Todos/5?purge=true')],
      [
        /not in the trash/,
        async (call) => [await call('DELETE /api/Todos/5'), await call('GET /api/Todos/6')],
      ],
    ],
  },
  'rest-patch': {
    solve: (call) => call('PATCH /api/Books/1', { json: { price: 9.5 }, ...headers(merge) }),
    misses: [
      [
        /must be application\/merge-patch/,
        (call) => call('PATCH /api/Books/1', { json: { price: 9.5 } }),
      ],
      [/Use PATCH/, (call) => call('PUT /api/Books/1', { json: book })],
      [
        /no other member/,
        (call) => call('PATCH /api/Books/1', { json: { price: 1, pages: 2 }, ...headers(merge) }),
      ],
    ],
  },
  'rest-json-patch': {
    solve: (call) => call('PATCH /api/Books/1', { json: replace, ...headers(patchType) }),
    misses: [
      [/only tests/, (call) => call('PATCH /api/Books/1', { json: test, ...headers(patchType) })],
      [
        /no operation test/,
        (call) => call('PATCH /api/Books/1', { json: replace.slice(1), ...headers(patchType) }),
      ],
    ],
  },
  'rest-if-match': {
    solve: async (call) => patchEvent(call, tagOf(await call('GET /api/Events/1'))),
    misses: [
      [
        /without If-Match/,
        async (call) => [await call('GET /api/Events/1'), await patchEvent(call)],
      ],
      [/weak tag/, async (call) => patchEvent(call, `W/${tagOf(await call('GET /api/Events/1'))}`)],
      [
        /every version/,
        async (call) => [await call('GET /api/Events/1'), await patchEvent(call, '*')],
      ],
      [
        /another tag/,
        async (call) => [await call('GET /api/Events/1'), await patchEvent(call, '"other"')],
      ],
    ],
  },
  'rest-conflict': {
    async solve(call) {
      const old = tagOf(await call('GET /api/Events/1'));
      await call('PATCH /api/Events/1', { json: { ticketsSold: 2 } });
      await patchEvent(call, old);
      await patchEvent(call, tagOf(await call('GET /api/Events/1')));
    },
    misses: [
      [/tag was current/, async (call) => patchEvent(call, tagOf(await call('GET /api/Events/1')))],
      [
        /without If-Match/,
        async (call) => {
          await patchEvent(call, '"old"');
          await call('GET /api/Events/1');
          await patchEvent(call);
        },
      ],
    ],
  },
  'rest-required-condition': {
    async solve(call) {
      const json = { employeeCount: 7 };
      await call('PATCH /api/Companies/1', { json });
      const tag = tagOf(await call('GET /api/Companies/1'));
      await call('PATCH /api/Companies/1', { json, ...headers({ 'If-Match': tag }) });
    },
    misses: [
      [
        /star matches/,
        async (call) => {
          const json = { employeeCount: 7 };
          await call('PATCH /api/Companies/1', { json });
          await call('PATCH /api/Companies/1', { json, ...headers({ 'If-Match': '*' }) });
        },
      ],
    ],
  },
  'rest-minimal': {
    solve: (call) =>
      call('PATCH /api/Books/1', { json: { price: 2 }, ...headers({ Prefer: 'return=minimal' }) }),
    misses: [[/no Prefer/, (call) => call('PATCH /api/Books/1', { json: { price: 2 } })]],
  },
  'rest-batch': {
    solve: (call) => batch(call, true, [1, 2]),
    misses: [
      [/not atomic/, (call) => batch(call, false, [1, 2])],
      [/two operations/, (call) => batch(call, true, [1])],
      [/nothing was done/, (call) => batch(call, true, [1, 99999])],
    ],
  },
  'rest-job': {
    async solve(call) {
      const prefer = headers({ Prefer: 'respond-async' });
      const path = pathOf(
        await call('PATCH /api/Books/1?jobSeconds=30', { json: { price: 3 }, ...prefer }),
      );
      await call(`GET ${path}`);
      await call('PUT /api/sandbox/clock', { json: { offsetSeconds: 31 } });
      await call(`GET ${path}`);
    },
    misses: [
      [/changed the book at once/, (call) => call('PATCH /api/Books/1', { json: { price: 3 } })],
      [
        /not finished/,
        async (call) => {
          const prefer = headers({ Prefer: 'respond-async' });
          const response = await call('PATCH /api/Books/1', { json: { price: 3 }, ...prefer });
          await call(`GET ${pathOf(response)}`);
        },
      ],
    ],
  },
};

function batch(call: Call, atomic: boolean, ids: readonly number[]) {
  const operations = ids.map((id) => ({ method: 'PATCH', id, body: { price: 4 } }));
  return call('POST /api/Books/batch', { json: { atomic, operations } });
}
