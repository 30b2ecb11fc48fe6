/** Lawful ways and near misses of the track rest. */

import type { Cases } from '../../challenge.js';

const emma =
  '{"title":"Emma","author":"Jane Austen","isbn":"9780306406157","publishedYear":1815,"pages":474}';
const persuasion = emma.replace('Emma', 'Persuasion');
const event = '{"name":"Code","startsAt":"2027-05-01T16:00:00Z","endsAt":"2027-05-01T17:00:00Z"}';
const sold = '{"ticketsSold":1}';
const merge = 'Content-Type: application/merge-patch+json';
const patch = 'Content-Type: application/json-patch+json';
const test = '{"op":"test","path":"/price","value":12.99}';
const replace = '{"op":"replace","path":"/price","value":9.5}';
const change = (id: number) => `{"method":"PATCH","id":${id},"body":{"price":4}}`;
const batch = (atomic: boolean, ...operations: readonly string[]) =>
  `POST /api/Books/batch | {"atomic":${atomic},"operations":[${operations}]}`;
const conflict = `GET /api/Events/1 && PATCH /api/Events/1 | ${sold} && PATCH /api/Events/1 | If-Match: {1.etag} | {"ticketsSold":2}`;

const reading: Readonly<Record<string, Cases>> = {
  'rest-filter': {
    accepts: [
      'GET /api/Events?category=music&price_lte=50',
      'GET /api/Events?category=Music&price_lte=50.0&limit=5',
      'HEAD /api/Events?category_in=music&price_lt=50.01',
    ],
    rejects: [
      ['do not limit', 'GET /api/Events?category=music'],
      ['category Music', 'GET /api/Events?price_lte=50'],
      ['do not limit', 'GET /api/Events?category=music&price_lt=50'],
      ['category Music', 'GET /api/Events?category_in=music,sports&price_lte=50'],
    ],
  },
  'rest-sort': {
    accepts: [
      'GET /api/Books?sort=-price',
      'GET /api/Books?sort=price&order=desc',
      'GET /api/Books?sort=-price,title&limit=3',
    ],
    rejects: [
      ['lowest comes first', 'GET /api/Books?sort=price'],
      ['before all else', 'GET /api/Books?sort=-rating,-price'],
      ['before all else', 'GET /api/Books'],
    ],
  },
  'rest-fields': {
    accepts: [
      'GET /api/Books?fields=id,title',
      'HEAD /api/Books?fields=title,id',
      'GET /api/Books?fields=id,title,title&limit=2',
    ],
    rejects: [
      ['exactly', 'GET /api/Books?fields=title'],
      ['all fields', 'GET /api/Books'],
      ['exactly', 'GET /api/Books?fields=id,title,price'],
    ],
  },
  'rest-pages': {
    accepts: [
      'GET /api/Books?limit=10 && GET {1.next} && GET {2.next}',
      'GET /api/Books?limit=10&page=1 && GET /api/Books?limit=10&page=2 && GET /api/Books?limit=10&page=3',
      'GET /api/Books?limit=10&sort=title && GET /api/Books?limit=10&offset=10&sort=title && GET /api/Books?sort=title&limit=10&offset=20',
    ],
    rejects: [
      ['10 books', 'GET /api/Books?limit=25'],
      ['not the page after', 'GET /api/Books?limit=10 && GET /api/Books?limit=10&page=3'],
      ['another list', 'GET /api/Books?limit=10 && GET /api/Books?limit=10&page=2&sort=title'],
      ['1 of 2 parts', 'GET /api/Books?limit=10 && GET {1.next}'],
      ['not the first page', 'GET /api/Books?limit=10&page=2'],
    ],
  },
  'rest-changes': {
    accepts: [
      'GET /api/Books/changes && PATCH /api/Books/1 | {"price":1} && GET /api/Books/changes?since={1.json.token}',
      'GET /api/Books/changes && DELETE /api/Books/2 && GET /api/Books/changes?since={1.json.token}',
      `GET /api/Books/changes && PUT /api/Books/3 | ${emma} && GET /api/Books/3 && GET /api/Books/changes?since={1.json.token}`,
    ],
    rejects: [
      [
        'a new token',
        'GET /api/Books/changes && PATCH /api/Books/1 | {"price":1} && GET /api/Books/changes',
      ],
      [
        'further changes',
        'GET /api/Books/changes && PATCH /api/Books/1 | {"price":1} && PATCH /api/Books/2 | {"price":1} && GET /api/Books/changes?since={1.json.token}',
      ],
      [
        'not the token',
        'PATCH /api/Books/1 | {"price":2} && GET /api/Books/changes && PATCH /api/Books/1 | {"price":1} && GET /api/Books/changes?since=c0',
      ],
      ['not changed', 'GET /api/Books/changes && PATCH /api/Books/99999 | {"price":1}'],
    ],
  },
};

const creating: Readonly<Record<string, Cases>> = {
  'rest-create': {
    accepts: [
      `POST /api/Events | ${event} && GET {1.path}`,
      `POST /api/Events | ${event} && HEAD {1.path}`,
      `POST /api/Events | {} && POST /api/Events | ${event} && GET {2.path}?fields=name`,
    ],
    rejects: [
      ['not created', 'POST /api/Events | {"name":"x"}'],
      ['not the event', `POST /api/Events | ${event} && GET /api/Events/1`],
      ['1 of 2 parts', `POST /api/Events | ${event} && GET /api/Events`],
    ],
  },
  'rest-validation': {
    accepts: [
      `POST /api/Books | {"title":"Emma"} && POST /api/Books | ${emma}`,
      `POST /api/Books | {} && POST /api/Books | ${emma}`,
      `POST /api/Books | ${emma.replace('474', '-1')} && POST /api/Books | ${emma}`,
    ],
    rejects: [
      ['is valid', `POST /api/Books | ${emma}`],
      ['not in a field', 'POST /api/Books | {"title":'],
      ['another book', `POST /api/Books | {"title":"Emma"} && POST /api/Books | ${persuasion}`],
      ['still invalid', 'POST /api/Books | {"title":"Emma"} && POST /api/Books | {"title":"Emma"}'],
    ],
  },
  'rest-idempotency': {
    accepts: [
      `POST /api/Books | Idempotency-Key: "one" | ${emma} && POST /api/Books | Idempotency-Key: "one" | ${emma}`,
      `POST /api/Books | Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324 | ${emma} && GET /api/Books && POST /api/Books | Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324 | ${emma}`,
      `POST /api/Books | ${emma} && POST /api/Books | Idempotency-Key: k | ${persuasion} && POST /api/Books | idempotency-key: k | ${persuasion}`,
    ],
    rejects: [
      ['no key', `POST /api/Books | ${emma}`],
      [
        'another body',
        `POST /api/Books | Idempotency-Key: a | ${emma} && POST /api/Books | Idempotency-Key: a | ${persuasion}`,
      ],
      [
        'another one',
        `POST /api/Books | Idempotency-Key: a | ${emma} && POST /api/Books | Idempotency-Key: b | ${emma}`,
      ],
    ],
  },
  'rest-create-only': {
    accepts: [
      `PUT /api/Books/900?upsert=true | If-None-Match: * | ${emma}`,
      `PUT /api/books/900?upsert=true | if-none-match: * | ${persuasion}`,
      `PUT /api/Books/900 | If-None-Match: * | ${emma} && PUT /api/Books/900?upsert=true | If-None-Match: * | ${emma}`,
    ],
    rejects: [
      ['Nothing in this request', `PUT /api/Books/900?upsert=true | ${emma}`],
      ['No book was created', `PUT /api/Books/900 | If-None-Match: * | ${emma}`],
      ['another book', `PUT /api/Books/1?upsert=true | If-None-Match: * | ${emma}`],
      ['Nothing in this', `PUT /api/Books/900?upsert=true | If-None-Match: "a" | ${emma}`],
    ],
  },
  'rest-delete': {
    accepts: [
      'DELETE /api/Books/3 && GET /api/Books/3',
      'DELETE /api/Books/3 && HEAD /api/Books/3',
      'DELETE /api/Books/3 && DELETE /api/Books/3',
    ],
    rejects: [
      ['another book', 'DELETE /api/Books/3 && GET /api/Books/4'],
      ['another book', 'DELETE /api/Books/4 && GET /api/Books/4'],
      ['1 of 2 parts', 'DELETE /api/Books/3'],
    ],
  },
  'rest-trash': {
    accepts: [
      'DELETE /api/Todos/5 && GET /api/Todos/5 && POST /api/Todos/5/restore',
      'DELETE /api/Todos/2 && HEAD /api/Todos/2 && POST /api/todos/2/restore',
      'DELETE /api/Todos/1 && DELETE /api/Todos/5 && GET /api/Todos/5 && POST /api/Todos/5/restore',
    ],
    rejects: [
      ['permanently', 'DELETE /api/Todos/5?purge=true'],
      ['another todo', 'DELETE /api/Todos/5 && GET /api/Todos/6'],
      [
        'another todo',
        'DELETE /api/Todos/2 && DELETE /api/Todos/1 && GET /api/Todos/1 && POST /api/Todos/2/restore',
      ],
      ['1 of 3 parts', 'DELETE /api/Todos/5 && POST /api/Todos/5/restore'],
    ],
  },
};

const changing: Readonly<Record<string, Cases>> = {
  'rest-patch': {
    accepts: [
      `PATCH /api/Books/1 | ${merge} | {"price":9.5}`,
      'PATCH /api/Books/1 | Content-Type: Application/Merge-Patch+JSON; charset=utf-8 | {"price":1}',
      `PATCH /api/Books/1 | Prefer: return=minimal | ${merge} | { "price" : 3 }`,
    ],
    rejects: [
      ['type of a merge patch', 'PATCH /api/Books/1 | {"price":9.5}'],
      ['replaces', `PUT /api/Books/1 | ${emma}`],
      ['no other member', `PATCH /api/Books/1 | ${merge} | {"price":1,"pages":2}`],
      ['another book', `PATCH /api/Books/2 | ${merge} | {"price":1}`],
    ],
  },
  'rest-json-patch': {
    accepts: [
      `PATCH /api/Books/1 | ${patch} | [${test},${replace}]`,
      `PATCH /api/Books/1 | ${patch}; charset=utf-8 | [{"op":"test","path":"/title","value":"The Hobbit"},${replace}]`,
      `PATCH /api/Books/1 | Prefer: return=minimal | ${patch} | [${test},${replace},{"op":"test","path":"/price","value":9.5}]`,
    ],
    rejects: [
      ['only tests', `PATCH /api/Books/1 | ${patch} | [${test}]`],
      ['is no test', `PATCH /api/Books/1 | ${patch} | [${replace}]`],
      [
        'is no test',
        `PATCH /api/Books/1 | ${patch} | [${replace},{"op":"test","path":"/price","value":9.5}]`,
      ],
      ['test failed', `PATCH /api/Books/1 | ${patch} | [${test.replace('12', '11')},${replace}]`],
    ],
  },
  'rest-minimal': {
    accepts: [
      'PATCH /api/Books/1 | Prefer: return=minimal | {"price":2}',
      'PATCH /api/Books/1 | Prefer: return="minimal" | {"price":2}',
      `PUT /api/Books/1 | Prefer: handling=strict, Return=minimal | ${emma}`,
    ],
    rejects: [
      ['did not prefer', 'PATCH /api/Books/1 | {"price":2}'],
      ['did not prefer', 'PATCH /api/Books/1 | Prefer: return=representation | {"price":2}'],
      ['did not prefer', 'PATCH /api/Books/1 | Prefer: xreturn=minimal | {"price":2}'],
      ['status 204', 'PATCH /api/Books/1 | Prefer: return=minimal | {"price":"x"}'],
    ],
  },
  'rest-batch': {
    accepts: [
      batch(true, change(1), change(2)),
      batch(true, change(1), change(2), change(3)),
      batch(true, change(4), `{"method":"PUT","id":5,"body":${emma}}`),
    ],
    rejects: [
      ['no unit', batch(false, change(1), change(2))],
      ['two different', batch(true, change(1))],
      ['two different', batch(true, change(1), change(1))],
      ['two different', batch(true, '{"method":"DELETE","id":1}', '{"method":"DELETE","id":2}')],
      ['nothing was done', batch(true, change(1), change(99999))],
    ],
  },
  'rest-job': {
    accepts: [
      'PATCH /api/Books/1?jobSeconds=30 | Prefer: respond-async | {"price":3} && GET {1.path} && PUT /api/sandbox/clock | {"offsetSeconds":31} && GET {1.path}',
      'PATCH /api/Books/1?jobSeconds=1 | Prefer: wait=0, Respond-Async | {"price":3} && wait 1100 && GET {1.path}',
      `PUT /api/Books/1?jobSeconds=1 | Prefer: respond-async | ${emma} && wait 1100 && GET {1.path}`,
    ],
    rejects: [
      ['changed at once', 'PATCH /api/Books/1 | {"price":3}'],
      ['not succeeded', 'PATCH /api/Books/1 | Prefer: respond-async | {"price":3} && GET {1.path}'],
      ['another job', 'PATCH /api/Books/1 | Prefer: respond-async | {"price":3} && GET {1.path}x'],
    ],
  },
};

const conditions: Readonly<Record<string, Cases>> = {
  'rest-if-match': {
    accepts: [
      `GET /api/Events/1 && PATCH /api/Events/1 | If-Match: {1.etag} | ${sold}`,
      `HEAD /api/Events/2 && PATCH /api/events/2 | If-Match: "old", {1.etag} | ${sold}`,
      `GET /api/Events/1 && PATCH /api/Events/1 | If-Unmodified-Since: {1.last-modified} | ${sold}`,
      `GET /api/Events/1 && PUT /api/Events/1 | If-Match: {1.etag} | ${event}`,
    ],
    rejects: [
      ['without a condition', `GET /api/Events/1 && PATCH /api/Events/1 | ${sold}`],
      ['weak tag', `GET /api/Events/1 && PATCH /api/Events/1 | If-Match: W/{1.etag} | ${sold}`],
      ['every version', `GET /api/Events/1 && PATCH /api/Events/1 | If-Match: * | ${sold}`],
      [
        'another validator',
        `GET /api/Events/1 && PATCH /api/Events/1 | If-Match: "other" | ${sold}`,
      ],
      [
        'another event',
        `GET /api/Events/2 && GET /api/Events/1 && PATCH /api/Events/2 | If-Match: {1.etag} | ${sold}`,
      ],
    ],
  },
  'rest-conflict': {
    accepts: [
      `${conflict} && GET /api/Events/1 && PATCH /api/Events/1 | If-Match: {4.etag} | ${sold}`,
      `${conflict} && HEAD /api/Events/1 && PUT /api/Events/1 | If-Match: {4.etag} | ${event}`,
      `${conflict} && GET /api/Events/1 && PATCH /api/Events/1 | ${sold} && GET /api/Events/1 && PATCH /api/Events/1 | If-Match: {6.etag} | ${sold}`,
    ],
    rejects: [
      ['not outdated', `GET /api/Events/1 && PATCH /api/Events/1 | If-Match: {1.etag} | ${sold}`],
      ['never one of the event', `PATCH /api/Events/1 | If-Match: "made-up" | ${sold}`],
      ['without a tag', `${conflict} && GET /api/Events/1 && PATCH /api/Events/1 | ${sold}`],
      ['another event', `${conflict} && GET /api/Events/2`],
    ],
  },
  'rest-required-condition': {
    accepts: [
      'PATCH /api/Companies/1 | {"employeeCount":7} && GET /api/Companies/1 && PATCH /api/Companies/1 | If-Match: {2.etag} | {"employeeCount":7}',
      'PATCH /api/Companies/2 | {"employeeCount":7} && HEAD /api/Companies/2 && PATCH /api/Companies/2 | If-Match: "a", {2.etag} | {"employeeCount":7}',
      'GET /api/Companies/1 && PATCH /api/Companies/1 | {"employeeCount":7} && PATCH /api/Companies/1 | If-Unmodified-Since: {1.last-modified} | {"employeeCount":7}',
    ],
    rejects: [
      [
        'A star',
        'PATCH /api/Companies/1 | {"employeeCount":7} && PATCH /api/Companies/1 | If-Match: * | {"employeeCount":7}',
      ],
      [
        'still missing',
        'PATCH /api/Companies/1 | {"employeeCount":7} && PATCH /api/Companies/1 | {"employeeCount":7}',
      ],
      [
        'another company',
        'PATCH /api/Companies/1 | {"employeeCount":7} && GET /api/Companies/2 && PATCH /api/Companies/2 | If-Match: {2.etag} | {"employeeCount":7}',
      ],
      [
        'does not hold',
        'PATCH /api/Companies/1 | {"employeeCount":7} && PATCH /api/Companies/1 | If-Match: "a" | {"employeeCount":7}',
      ],
    ],
  },
};

export const restCases = { ...reading, ...creating, ...changing, ...conditions };
