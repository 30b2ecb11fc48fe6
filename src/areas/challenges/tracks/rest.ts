/** Challenges about REST resources. */

import { mediaType } from '#http/body/request-body.js';
import { parsePrefer } from '#http/headers/parse-prefer.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  hasDate,
  hasTag,
  header,
  isThere,
  jsonReceived,
  jsonSent,
  keep,
  keepId,
  keepValidators,
  locationOf,
  markOf,
  membersOf,
  method,
  part,
  query,
  received,
  record,
  sent,
  status,
  success,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { restCases } from './cases/rest.js';

const rest = inTrack('rest', restCases);

const books = '/api/Books';
const book = '/api/Books/:id';
const event = '/api/Events/:id';
const writing = `PATCH|PUT ${event}`;

const listOf = (value: string) => value.split(',').map((each) => each.trim());
const parameter = (name: string) => (exchange: Exchange) =>
  (exchange.query.get(name) ?? '').trim().toLowerCase();

function limitsTo50({ query: given }: Exchange): boolean {
  const [least, below] = [given.get('price_lte'), given.get('price_lt')];
  if (least !== null) return least.trim() !== '' && Number(least) === 50;
  return below !== null && Number(below) > 50 && Number(below) <= 50.01;
}

/** Returns whether price is the first key of the order, and descending. */
function isDearestFirst({ query: given }: Exchange): boolean {
  const [first] = listOf(given.get('sort') ?? '');
  const isDescending = given.get('order')?.toLowerCase() === 'desc';
  return first === '-price' || (first === 'price' && isDescending);
}

/** Returns the number of the page, from 1, of a request with a limit of 10. */
function pageOf({ query: given }: Exchange): number {
  const offset = given.get('offset');
  return offset === null ? Number(given.get('page') ?? 1) : Number(offset) / 10 + 1;
}

/** Returns the parameters that the pages of one list share. */
function listIn({ query: given }: Exchange): string {
  const others = [...given].filter(([name]) => name !== 'page' && name !== 'offset');
  return others
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
}

const keepPage = keep({
  page: (exchange) => String(pageOf(exchange)),
  list: (exchange) => markOf(listIn(exchange)),
  more: (exchange) => (received(exchange, 'link').includes('rel="next"') ? 'yes' : 'no'),
});

const tenBooks = query('limit', (value) => Number(value) === 10, 'The pages do not have 10 books.');

const changesIn = (exchange: Exchange): readonly { readonly id?: unknown }[] => {
  const { changes } = jsonReceived(exchange);
  return Array.isArray(changes) ? changes : [];
};

const reading = [
  rest(
    'rest-filter',
    1,
    texts(
      'Affordable music',
      'List the events of the category Music with a price of at most 50, by filters of the list.',
      'Who should select the records, the server or the client? | RFC 3986 section 3.4: the query selects; each field is a filter, and ordered ones have _lte, _lt, _gte and _gt. | GET /api/Events?category=music&price_lte=50',
      'Filters belong in the query: they select part of the collection.',
      cite('RFC 3986', '3.4'),
    ),
    [
      step('GET|HEAD /api/Events', [
        when(
          (exchange) =>
            [parameter('category')(exchange), parameter('category_in')(exchange)].includes('music'),
          'Your filters do not select the category Music, and only it.',
        ),
        when(limitsTo50, 'Your filters do not limit the price to 50, inclusive.'),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-sort',
    1,
    texts(
      'The most expensive first',
      'List books by price, the highest first, sorted by the server.',
      'Which order has one page of a list that the client sorts? | RFC 3986 section 3.4: the query selects; sort has fields, and a minus means descending. | GET /api/Books?sort=-price',
      'Let the server sort: a client that sorts one page sorts only that page.',
      cite('RFC 3986', '3.4'),
    ),
    [
      step(`GET|HEAD ${books}`, [
        query(
          'sort',
          (value) => /^-?price$/.test(listOf(value)[0] ?? ''),
          'The list is not sorted by price before all else.',
        ),
        when(isDearestFirst, 'You sorted by price, but the lowest comes first.'),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-fields',
    1,
    texts(
      'Only what you need',
      'List books with exactly the fields id and title.',
      'Which part of each record does the client use? | RFC 3986 section 3.4: the query selects; fields has names, separated by commas. | GET /api/Books?fields=id,title',
      'Sparse fields keep responses small.',
      cite('RFC 3986', '3.4'),
    ),
    [
      step(`GET|HEAD ${books}`, [
        query('fields', isThere, 'You listed all fields.'),
        query(
          'fields',
          (value) => [...new Set(listOf(value))].sort().join() === 'id,title',
          'These are not exactly the fields id and title.',
        ),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-pages',
    2,
    texts(
      'Every page',
      'Read all books in pages of 10, one page after the other, until there is no next page.',
      'How does a client know that a page is the last? | RFC 8288 section 3: Link names the next page with rel="next", and the last page has none. | GET /api/Books?limit=10, then each rel="next"',
      'Following Link keeps filters and survives changes of the URL scheme.',
      cite('RFC 8288', '3'),
    ),
    [
      step(
        `GET ${books}`,
        [
          tenBooks,
          when((exchange) => pageOf(exchange) === 1, 'This is not the first page.'),
          status(200),
        ],
        { keep: keepPage },
      ),
      step(
        `GET ${books}`,
        [
          tenBooks,
          when(
            (exchange, { page }) => pageOf(exchange) === Number(page) + 1,
            'This is not the page after the one before.',
          ),
          when(
            (exchange, { list }) => markOf(listIn(exchange)) === list,
            'This page belongs to another list: its other parameters differ.',
          ),
          status(200),
        ],
        { keep: keepPage, isDone: ({ more }) => more === 'no' },
      ),
    ],
  ),
  rest(
    'rest-changes',
    3,
    texts(
      'Only what has changed',
      'Get a token of /api/Books/changes, change one book, and get this change, and no other, with the token.',
      'How can a client keep its copy current without reading everything? | RFC 9110 section 9.3.1: a GET can request less; the feed has a token, and since has the token of the last visit. | GET /api/Books/changes, then a change, then GET /api/Books/changes?since={token}',
      'A change feed keeps a copy current without reading everything again.',
      cite('RFC 9110', '9.3.1'),
    ),
    [
      step('GET /api/Books/changes', [status(200)], {
        keep: keep({ token: (exchange) => String(jsonReceived(exchange).token) }),
      }),
      step(`PATCH|PUT|DELETE ${book}`, [success('The book was not changed.')], { keep: keepId }),
      step('GET /api/Books/changes', [
        query('since', isThere, 'You got a new token, and no changes.'),
        when(
          ({ query: given }, { token }) => given.get('since') === token,
          'This is not the token from before the change.',
        ),
        when(
          (exchange, { id }) =>
            changesIn(exchange).some((each) => String(each.id) === id) &&
            changesIn(exchange).length === 1,
          'You got further changes too.',
        ),
      ]),
    ],
  ),
];

const errorsOf = (exchange: Exchange): readonly string[] => {
  const { errors } = jsonReceived(exchange);
  return Array.isArray(errors) ? errors.map((each) => textOf(membersOf(each).field)) : [];
};

/** More than a book has. */
const maxNames = 20;

/** Keeps the names of the right fields, and a mark of their values. */
function keepRight(exchange: Exchange, memo: Memo): Memo {
  const faulty = errorsOf(exchange).map((field) => field.split(/[.[]/, 1)[0]);
  const all = Object.keys(jsonSent(exchange)).slice(0, maxNames);
  const names = all.filter((name) => !faulty.includes(name));
  return { ...memo, names: names.join(), values: markOf(valuesOf(exchange, names)) };
}

const valuesOf = (exchange: Exchange, names: readonly string[]) =>
  JSON.stringify(names.map((name) => jsonSent(exchange)[name]));

const isReplayed = (exchange: Exchange) => received(exchange, 'idempotency-replayed') === 'true';

const creating = [
  rest(
    'rest-create',
    1,
    texts(
      'Create and read back',
      'Create an event, and read it at the URL of Location.',
      'Who chooses the id of a new record, and where does the response say it? | RFC 9110 section 15.3.2: 201 has the URL of the new resource in Location. | POST /api/Events with name, startsAt and endsAt, then GET its Location',
      '201 has the URL of the new resource in Location. The server chooses the id.',
      cite('RFC 9110', '15.3.2'),
    ),
    [
      step('POST /api/Events', [status(201, 'The event was not created.')], {
        keep: keep({ id: (exchange) => locationOf(exchange).split('/').at(-1) ?? '' }),
      }),
      step(`GET|HEAD ${event}`, [
        record('$id', 'This is not the event that you created.'),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-validation',
    2,
    texts(
      'Correct what is wrong',
      'Send an invalid book, and then the same book with only its faulty fields corrected, so that it is created.',
      'How does a client learn which fields are wrong? | RFC 9110 section 15.5.1: 400; errors in its body names each faulty field, all at once. | POST /api/Books without author, then with it',
      'A 400 with a list of faults lets a form show each message beside its field.',
      cite('RFC 9110', '15.5.1'),
    ),
    [
      step(
        `POST ${books}`,
        [
          status(400, 'This book is valid.'),
          when(
            (exchange) => errorsOf(exchange).length > 0,
            'The fault is not in a field of a book.',
          ),
        ],
        { keep: keepRight },
      ),
      step(`POST ${books}`, [
        status(201, 'The book is still invalid.'),
        when(
          (exchange, { names = '', values }) =>
            markOf(valuesOf(exchange, names === '' ? [] : names.split(',', maxNames))) === values,
          'This is another book: fields that were right have changed.',
        ),
      ]),
    ],
  ),
  rest(
    'rest-idempotency',
    3,
    texts(
      'Twice, but only once',
      'Create a book with a key, and repeat the request with this key so that no second book is created.',
      'How can a server tell a repetition from a second order? | draft-ietf-httpapi-idempotency-key-header section 2: Idempotency-Key has a value that the client makes once for a request, and sends with each repetition. | POST /api/Books twice with the same Idempotency-Key and body',
      'The server stores the first response by key, and returns it again with Idempotency-Replayed.',
      cite('draft-ietf-httpapi-idempotency-key-header', '2'),
    ),
    [
      step(
        `POST ${books}`,
        [
          header('idempotency-key', isThere, 'The request has no key.'),
          status(201, 'The book was not created.'),
          when((exchange) => !isReplayed(exchange), 'This key was used before the start.'),
        ],
        { keep: keep({ key: (exchange) => markOf(sent(exchange, 'idempotency-key')) }) },
      ),
      step(`POST ${books}`, [
        when(
          (exchange, { key }) => markOf(sent(exchange, 'idempotency-key')) === key,
          'The second request has no key, or another one, so it is another order.',
        ),
        when(({ status: code }) => code !== 422, 'The second request has another body.'),
        when(isReplayed, 'The response is not the stored one.'),
      ]),
    ],
  ),
  rest(
    'rest-create-only',
    3,
    texts(
      'Create, never overwrite',
      'Create the book 900 by PUT, so that an existing book would never be overwritten.',
      'What if another client creates the same book a moment earlier? | RFC 9110 section 13.1.2: If-None-Match with a star demands that nothing exists. PUT creates a record only with ?upsert=true. | PUT /api/Books/900?upsert=true with If-None-Match: *',
      'If-None-Match: * succeeds only if there is no current representation.',
      cite('RFC 9110', '13.1.2'),
    ),
    [
      step(`PUT ${book}`, [
        record('900', 'This is another book than 900.'),
        header(
          'if-none-match',
          (value) => value === '*',
          'Nothing in this request prevents that an existing book is overwritten.',
        ),
        status(201, 'No book was created.'),
      ]),
    ],
  ),
  rest(
    'rest-delete',
    1,
    texts(
      'Gone',
      'Delete the book 3, and see by a 404 that it no longer exists.',
      'What does a request for a deleted record get? | RFC 9110 section 9.3.5: DELETE removes the resource. | DELETE /api/Books/3, then GET /api/Books/3',
      'DELETE is idempotent: repeating it has no further effect.',
      cite('RFC 9110', '9.3.5'),
    ),
    [
      step(`DELETE ${book}`, [
        record('3', 'This is another book than 3.'),
        success('The book was not deleted.'),
      ]),
      step(`GET|HEAD|DELETE ${book}`, [
        record('3', 'This is another book than the deleted one.'),
        status(404),
      ]),
    ],
  ),
  rest(
    'rest-trash',
    2,
    texts(
      'Back from the trash',
      'Delete a todo, get 410 for it, and restore it.',
      'Is everything that is deleted lost? | RFC 9110 section 15.5.11: 410 says that it existed; its message says how to restore it. | DELETE /api/Todos/5, GET it, then POST /api/Todos/5/restore',
      '410 says that a resource existed, and that its absence is intended.',
      cite('RFC 9110', '15.5.11'),
    ),
    [
      step(
        'DELETE /api/Todos/:id',
        [
          when(({ query: given }) => !given.has('purge'), 'purge has deleted it permanently.'),
          status(204),
        ],
        { keep: keepId },
      ),
      step('GET|HEAD /api/Todos/:id', [
        record('$id', 'This is another todo than the deleted one.'),
        status(410, 'This todo is not in the trash.'),
      ]),
      step('POST /api/Todos/:id/restore', [
        record('$id', 'This is another todo than the deleted one.'),
        status(200, 'The todo was not restored.'),
      ]),
    ],
  ),
];

const isMergePatch = (type: string) => mediaType(type) === 'application/merge-patch+json';
const isJsonPatch = (type: string) => mediaType(type) === 'application/json-patch+json';

/** Operations of a JSON patch that change something (RFC 6902 section 4). */
const changingOps: ReadonlySet<unknown> = new Set(['add', 'replace', 'remove', 'move', 'copy']);

const operationsOf = ({ parsed: { json } }: Exchange): readonly unknown[] =>
  Array.isArray(json) ? json.map((each) => membersOf(each).op) : [];

/** Returns the different records that the operations of a batch change. */
function changedIn(exchange: Exchange): number {
  const { operations } = jsonSent(exchange);
  const list: readonly unknown[] = Array.isArray(operations) ? operations : [];
  const changes = list
    .map(membersOf)
    .filter((each) => each.method === 'PATCH' || each.method === 'PUT');
  return new Set(changes.map(({ id }) => String(id))).size;
}

const changing = [
  rest(
    'rest-patch',
    1,
    texts(
      'Change one field',
      'Change the price of the book 1, and send nothing else, as a merge patch with its own media type.',
      'Which body changes only one field? | RFC 7396 section 2: a merge patch has the members that change; its type is application/merge-patch+json. | PATCH /api/Books/1 with {"price": 9.5}',
      'A merge patch has the members that change; null means the default.',
      cite('RFC 7396', '2'),
    ),
    [
      step(`PATCH|PUT ${book}`, [
        record('1', 'This is another book than 1.'),
        method('PATCH', 'PUT replaces the whole book.'),
        header('content-type', isMergePatch, 'The body does not have the type of a merge patch.'),
        when(
          (exchange) => Object.keys(jsonSent(exchange)).join() === 'price',
          'The body does not have price, and no other member.',
        ),
        success('The book was not changed.'),
      ]),
    ],
  ),
  rest(
    'rest-json-patch',
    2,
    texts(
      'Operations in order',
      'Change a book with a JSON patch whose first operation tests a value.',
      'What if the book has changed since the client read it? | RFC 6902 section 4.6: the operation test fails if the value is another one, and the whole patch with it. | PATCH /api/Books/1 with [{"op":"test","path":"/price","value":12.99},{"op":"replace","path":"/price","value":9.5}]',
      'All operations are applied, or none. test makes the patch conditional.',
      cite('RFC 6902', '4.6'),
    ),
    [
      step(`PATCH ${book}`, [
        header('content-type', isJsonPatch, 'The body does not have the type of a JSON patch.'),
        when((exchange) => operationsOf(exchange)[0] === 'test', 'The first operation is no test.'),
        when(
          (exchange) => operationsOf(exchange).some((op) => changingOps.has(op)),
          'The patch only tests, and changes nothing.',
        ),
        success('The test failed, or the patch is invalid.'),
      ]),
    ],
  ),
  rest(
    'rest-minimal',
    2,
    texts(
      'No body, please',
      'Change a book so that the response is 204 without a body, because you prefer it.',
      'How can a client say which response it would like? | RFC 7240 section 4.2: Prefer with return, whose value is minimal or representation. | PATCH /api/Books/1 with Prefer: return=minimal',
      'Preference-Applied says which preferences the server has followed.',
      cite('RFC 7240', '4.2'),
    ),
    [
      step(`PATCH|PUT ${book}`, [
        when(
          (exchange) => parsePrefer(sent(exchange, 'prefer')).return === 'minimal',
          'You did not prefer a minimal response.',
        ),
        status(204),
      ]),
    ],
  ),
  rest(
    'rest-batch',
    3,
    texts(
      'All or nothing',
      'Change two or more different books in one request, so that all these changes happen or none.',
      'What if the second change fails after the first has succeeded? | The description of POST /api/Books/batch: operations is a list, and atomic makes it a unit. | POST /api/Books/batch with {"atomic": true, "operations": [{"method": "PATCH", "id": 1, "body": {"price": 4}}, …]}',
      'An atomic batch avoids half-done work, without a rollback by the client.',
      cite('RFC 9110', '9.3.3'),
    ),
    [
      step('POST /api/Books/batch', [
        when(
          (exchange) => jsonSent(exchange).atomic === true,
          'The batch is no unit, so one change can fail while the other succeeds.',
        ),
        when(
          (exchange) => changedIn(exchange) >= 2,
          'The batch does not change two different books.',
        ),
        status(200, 'An operation failed, so nothing was done.'),
      ]),
    ],
  ),
  rest(
    'rest-job',
    3,
    texts(
      'Long work',
      'Change a book as a job, and poll the job until it has succeeded. You may move the clock.',
      'How can a client avoid waiting for long work with an open request? | RFC 9110 section 15.3.3: 202 promises nothing; Location names the job. RFC 7240 section 4.1: Prefer requests it. | PATCH /api/Books/1 with Prefer: respond-async, then GET its Location until status is succeeded, or 303',
      '202 promises nothing: the job says later how it went.',
      cite('RFC 9110', '15.3.3'),
    ),
    [
      step(
        `PATCH|PUT ${book}`,
        [
          when(
            (exchange) => parsePrefer(sent(exchange, 'prefer')).respondAsync === true,
            'You did not prefer a job, so the book was changed at once.',
          ),
          status(202),
        ],
        { keep: keep({ id: (exchange) => locationOf(exchange).split('/').at(-1) ?? '' }) },
      ),
      step('GET|HEAD /api/jobs/:id', [
        record('$id', 'This is another job.'),
        when(
          (exchange) => exchange.status === 303 || jsonReceived(exchange).status === 'succeeded',
          'The job has not succeeded yet.',
        ),
      ]),
    ],
    { isClockFree: true },
  ),
];

const tagName = (id: string, tag: string) => `tag ${id} ${markOf(tag.trim())}`;

const noteTag = {
  on: `GET|HEAD|PATCH|PUT ${event}`,
  keep: (exchange: Exchange, memo: Memo): Memo =>
    exchange.status < 300
      ? { ...memo, [tagName(part(exchange, 'id'), received(exchange, 'etag'))]: 'sent' }
      : memo,
};

/** Returns whether all tags of If-Match were sent by the service for this event. */
const areKnown = (exchange: Exchange, memo: Memo): boolean =>
  sent(exchange, 'if-match')
    .split(',')
    .every((tag) => memo[tagName(part(exchange, 'id'), tag)] === 'sent');

const readEvent = step(`GET|HEAD ${event}`, [status(200)], { keep: keepValidators });

const isConditional = [
  when(
    (exchange) => sent(exchange, 'if-match') + sent(exchange, 'if-unmodified-since') !== '',
    'You changed the event without a condition.',
  ),
  header('if-match', (tag) => tag !== '*', 'A star matches every version.'),
  header('if-match', (tag) => !tag.startsWith('W/'), 'You sent If-Match, but with a weak tag.'),
  when(
    (exchange, memo) =>
      sent(exchange, 'if-match') === ''
        ? hasDate(exchange, 'if-unmodified-since', memo)
        : hasTag(exchange, 'if-match', memo),
    'Your condition has another validator than the event that you read.',
  ),
  success('The event was not changed.'),
];

const conditions = [
  rest(
    'rest-if-match',
    2,
    texts(
      'No lost update',
      'Read an event, then change it so that a change by others in between would be detected.',
      'What if two clients read the same event and both change it? | RFC 9110 section 13.1.1: If-Match makes the write depend on the version that the client has read. | PATCH /api/Events/1 with If-Match: {ETag of GET /api/Events/1}',
      'If-Match carries out a write only if the client has read this version.',
      cite('RFC 9110', '13.1.1'),
    ),
    [
      readEvent,
      step(writing, [record('$id', 'You changed another event than you read.'), ...isConditional]),
    ],
  ),
  rest(
    'rest-conflict',
    3,
    texts(
      'After the conflict',
      'Run into 412 with an outdated tag of an event, read the event again, and then change it with its new tag.',
      'What does a client do with its change after a conflict? | RFC 9110 section 15.5.13: 412 means that the version has changed; the client reads again, and repeats its change. | GET an event, change it twice, the second time with the If-Match of the old tag, then GET it and change it with the new tag',
      'After 412 a client reads again, applies its change to the new version, and retries.',
      cite('RFC 9110', '15.5.13'),
    ),
    [
      step(
        writing,
        [
          header('if-match', isThere, 'This change has no tag.'),
          status(412, 'The tag is not outdated: there was no conflict.'),
          when(areKnown, 'This tag was never one of the event since the start.'),
        ],
        { keep: keep({ id: (exchange) => part(exchange, 'id') }) },
      ),
      step(
        `GET|HEAD ${event}`,
        [record('$id', 'This is another event than the one with the conflict.'), status(200)],
        { keep: keepValidators },
      ),
      step(writing, [
        record('$id', 'You changed another event than you read.'),
        header('if-match', isThere, 'You changed the event without a tag.'),
        ...isConditional,
      ]),
    ],
    { notes: [noteTag] },
  ),
  rest(
    'rest-required-condition',
    2,
    texts(
      'A condition is required',
      'Run into 428 when you change a company, then change the same company with a condition on its version.',
      'What is missing in a write that gets 428? | RFC 6585 section 3: the server insists on a condition, so that no update is lost. | PATCH /api/Companies/1 without, and then with If-Match: {ETag of GET /api/Companies/1}',
      '428 lets a server insist on conditional writes.',
      cite('RFC 6585', '3'),
    ),
    [
      step('PATCH|PUT /api/Companies/:id', [status(428, 'This request got no 428.')], {
        keep: keepId,
      }),
      step('PATCH|PUT /api/Companies/:id', [
        record('$id', 'This is another company.'),
        when(({ status: code }) => code !== 428, 'The condition is still missing.'),
        header('if-match', (tag) => tag !== '*', 'A star is no condition on a version.'),
        success('The condition does not hold, or the body is invalid.'),
      ]),
    ],
  ),
];

export const restTrack = [...reading, ...creating, ...changing, ...conditions];
