/** Challenges about REST resources. */

import type { Exchange } from '../../../kit/recording/exchange-record.js';
import type { Challenge } from '../challenge.js';
import { header, jsonReceived, jsonSent, query, received, sent, status, when } from '../checks.js';
import { inTrack, step } from '../track.js';

const rest = inTrack('rest');

const books = '/api/Books';
const book = '/api/Books/:id';
const event = '/api/Events/:id';

const readEvent = step('Read an event with GET.', `GET ${event}`, [status(200)], {
  keep: (exchange, memo) => ({ ...memo, etag: received(exchange, 'etag'), path: exchange.path }),
});

const matchChecks = [
  header('if-match', /./, 'You changed the event without If-Match.'),
  when(
    (exchange) => sent(exchange, 'if-match') !== '*',
    'If-Match: * matches every version. Send the tag that you read.',
  ),
  header('if-match', /^(?!W\/)/, 'You sent If-Match, but with a weak tag.'),
  header('if-match', /^"/, 'You sent If-Match, but the tag has no double quotes.'),
] as const;

const reading: readonly Challenge[] = [
  rest(
    'rest-filter',
    1,
    {
      title: 'Affordable music',
      goal: 'List only events of the category Music with a price of at most 50.',
      hints: [
        'Each field is a filter in the query.',
        'Ordered fields also have _lte and _gte.',
        '/api/Events?category=music&price_lte=50',
      ],
      explanation: 'Filters belong in the query: they select part of the collection.',
      section: 'RFC 3986 section 3.4',
    },
    [
      step('List /api/Events with a category and a maximum price.', 'GET /api/Events', [
        query('category', /^music$/i, 'You did not filter by category=music.'),
        query('price_lte', /^50$/, 'You did not limit the price: add price_lte=50.'),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-sort',
    1,
    {
      title: 'The most expensive first',
      goal: 'List books by price, the highest first.',
      hints: ['The parameter is sort.', 'A minus means descending.', '/api/Books?sort=-price'],
      explanation: 'Let the server sort: a client that sorts one page sorts only that page.',
      section: 'RFC 3986 section 3.4',
    },
    [
      step('List /api/Books sorted by price, descending.', `GET ${books}`, [
        query('sort', /price/, 'You did not sort by price.'),
        when(
          ({ query: parameters }) =>
            parameters.get('sort')?.startsWith('-price') === true ||
            (parameters.get('sort') === 'price' && parameters.get('order') === 'desc'),
          'You sorted by price, but the lowest comes first.',
        ),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-fields',
    1,
    {
      title: 'Only what you need',
      goal: 'List books with only id and title.',
      hints: [
        'The parameter is fields.',
        'Names are separated by commas.',
        '/api/Books?fields=id,title',
      ],
      explanation: 'Sparse fields keep responses small.',
      section: 'RFC 3986 section 3.4',
    },
    [
      step('List /api/Books with the fields id and title.', `GET ${books}`, [
        query('fields', /./, 'You listed all fields.'),
        query('fields', /^(id,title|title,id)$/, 'Request exactly id and title.'),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-pages',
    2,
    {
      title: 'Every page',
      goal: 'Read all books in pages of 10, until there is no next page.',
      hints: [
        'limit=10 makes pages; Link has the next one.',
        'Follow the link with rel="next".',
        'Stop when Link has no rel="next".',
      ],
      explanation: 'Following Link keeps filters and survives changes of the URL scheme.',
      section: 'RFC 8288 section 3',
    },
    [
      step('Get the first page with limit=10.', `GET ${books}`, [
        query('limit', /^10$/, 'The pages must have 10 books: limit=10.'),
        query('page', /^1?$/, 'Begin with the first page.'),
        query('offset', /^0?$/, 'Begin with the first page.'),
      ]),
      step('Get the second page.', `GET ${books}`, [
        query('limit', /^10$/, 'The next page must have the same limit.'),
        when(
          ({ query: parameters }) =>
            parameters.get('page') === '2' || parameters.get('offset') === '10',
          'This is not the second page. Follow rel="next".',
        ),
      ]),
      step('Get the last page.', `GET ${books}`, [
        query('limit', /^10$/, 'The next page must have the same limit.'),
        when(
          ({ query: parameters }) =>
            parameters.get('page') === '3' || parameters.get('offset') === '20',
          'This is not the third page. Follow rel="next".',
        ),
        when(
          (exchange) => !received(exchange, 'link').includes('rel="next"'),
          'There is a further page.',
        ),
      ]),
    ],
  ),
  rest(
    'rest-changes',
    3,
    {
      title: 'Only what has changed',
      goal: 'Get a token of /api/Books/changes, change a book, and get only this change.',
      hints: [
        'Without since, the feed returns only the current token.',
        'Change a book, then send the token in since.',
        '/api/Books/changes?since={token}',
      ],
      explanation: 'A change feed keeps a copy current without reading everything again.',
      section: 'RFC 9110 section 9.3.1',
    },
    [
      step('Get the token of /api/Books/changes.', 'GET /api/Books/changes', [status(200)], {
        keep: (exchange, memo) => ({ ...memo, token: String(jsonReceived(exchange).token) }),
      }),
      step('Change a book.', `PATCH|PUT|DELETE ${book}`, [
        when(({ status: code }) => code < 300, 'The book was not changed.'),
      ]),
      step('Get the changes since the token.', 'GET /api/Books/changes', [
        query('since', /./, 'You got the current token again. Send the first token in since.'),
        when(
          ({ query: parameters }, { token }) => parameters.get('since') === token,
          'since has another token than the token before your change.',
        ),
        status(200),
      ]),
    ],
  ),
];

const creating: readonly Challenge[] = [
  rest(
    'rest-create',
    1,
    {
      title: 'Create and read back',
      goal: 'Create an event, and read it at the URL of Location.',
      hints: [
        'POST to the collection creates a record.',
        'name, startsAt and endsAt are required.',
        'The response has Location; send GET to it.',
      ],
      explanation: '201 has the URL of the new resource in Location. The server chooses the id.',
      section: 'RFC 9110 section 15.3.2',
    },
    [
      step(
        'Send POST to /api/Events, and get 201.',
        'POST /api/Events',
        [status(201, 'The event was not created: read errors in the response.')],
        {
          keep: (exchange, memo) => ({
            ...memo,
            path: received(exchange, 'location').replace(/^.*(?=\/api\/)/, ''),
          }),
        },
      ),
      step('Send GET to its Location.', `GET ${event}`, [
        when(
          ({ path }, memo) => path === memo.path,
          'You read another event. Use the URL of Location.',
        ),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-validation',
    2,
    {
      title: 'Correct what is wrong',
      goal: 'Send an invalid book, read errors, and create the corrected book.',
      hints: [
        'Leave out author or isbn at first.',
        'errors names each faulty field, all at once.',
        'An ISBN ends with a check digit.',
      ],
      explanation: 'A 400 with a list of faults lets a form show each message beside its field.',
      section: 'RFC 9110 section 15.5.1',
    },
    [
      step('Send an invalid book to POST /api/Books, and get 400.', `POST ${books}`, [
        status(400, 'This book is valid. First send an invalid one.'),
      ]),
      step('Create the corrected book.', `POST ${books}`, [
        status(201, 'The book is still invalid: read errors in the response.'),
      ]),
    ],
  ),
  rest(
    'rest-idempotency',
    3,
    {
      title: 'Twice, but only once',
      goal: 'Create a book with a key, and repeat the request so that no second book is created.',
      hints: [
        'A header names the request, so that the server recognizes the repetition.',
        'The header is Idempotency-Key; choose a random value.',
        'Repeat with the same key and the same body.',
      ],
      explanation:
        'The server stores the first response by key, and returns it again with Idempotency-Replayed.',
      section: 'draft-ietf-httpapi-idempotency-key-header section 2',
    },
    [
      step('Create a book with Idempotency-Key.', `POST ${books}`, [
        header('idempotency-key', /./, 'You created a book without Idempotency-Key.'),
        status(201, 'The book was not created.'),
        when(
          (exchange) => received(exchange, 'idempotency-replayed') === '',
          'This key was used before the start. Choose another.',
        ),
      ]),
      step('Repeat the request with the same key and body.', `POST ${books}`, [
        header(
          'idempotency-key',
          /./,
          'You repeated the request without Idempotency-Key: there are two books now.',
        ),
        when(({ status: code }) => code !== 422, 'The same key needs the same body.'),
        when(
          (exchange) => received(exchange, 'idempotency-replayed') === 'true',
          'You sent another key, which created a second book.',
        ),
      ]),
    ],
  ),
  rest(
    'rest-create-only',
    3,
    {
      title: 'Create, never overwrite',
      goal: 'Create the book 900 with PUT, so that an existing book would never be overwritten.',
      hints: [
        'PUT ?upsert=true creates a record with the id of the path.',
        'A condition can say that nothing must exist.',
        'If-None-Match: *',
      ],
      explanation: 'If-None-Match: * succeeds only if there is no current representation.',
      section: 'RFC 9110 section 13.1.2',
    },
    [
      step('Send PUT /api/Books/900?upsert=true with If-None-Match: *', `PUT ${book}`, [
        query('upsert', /^true$/, 'Without ?upsert=true, an unknown id gets 404.'),
        header('if-none-match', /./, 'Without a condition, PUT would overwrite an existing book.'),
        header('if-none-match', /^\*$/, 'If-None-Match needs a star: it must match every version.'),
        status(201, 'No book was created: it exists, or the body is invalid.'),
      ]),
    ],
  ),
  rest(
    'rest-delete',
    1,
    {
      title: 'Gone',
      goal: 'Delete the book 3, and see that it no longer exists.',
      hints: [
        'The method is DELETE.',
        'Read the book afterwards.',
        'The response of GET is then 404.',
      ],
      explanation: 'DELETE is idempotent: repeating it has no further effect.',
      section: 'RFC 9110 section 9.3.5',
    },
    [
      step('Delete a book.', `DELETE ${book}`, [status(204, 'The book was not deleted.')], {
        keep: ({ path }, memo) => ({ ...memo, path }),
      }),
      step('Read it, and get 404.', `GET ${book}`, [
        when(({ path }, memo) => path === memo.path, 'You read another book than the deleted one.'),
        status(404),
      ]),
    ],
  ),
  rest(
    'rest-trash',
    2,
    {
      title: 'Back from the trash',
      goal: 'Delete a todo, get 410 for it, and restore it.',
      hints: [
        'Deleted todos go to a trash first.',
        'The message of 410 says how to restore it.',
        'POST /api/Todos/{id}/restore',
      ],
      explanation: '410 says that a resource existed, and that its absence is intended.',
      section: 'RFC 9110 section 15.5.11',
    },
    [
      step('Delete a todo.', 'DELETE /api/Todos/:id', [
        when(
          ({ query: parameters }) => !parameters.has('purge'),
          'purge deletes permanently. Leave it out.',
        ),
        status(204),
      ]),
      step('Read it, and get 410.', 'GET /api/Todos/:id', [
        status(410, 'This todo is not in the trash.'),
      ]),
      step('Restore it.', 'POST /api/Todos/:id/restore', [
        status(200, 'This todo is not in the trash.'),
      ]),
    ],
  ),
];

const changing: readonly Challenge[] = [
  rest(
    'rest-patch',
    1,
    {
      title: 'Change one field',
      goal: 'Change only the price of the book 1, as a merge patch with its own media type.',
      hints: [
        'PATCH changes the fields that the body has.',
        'The media type is application/merge-patch+json.',
        'The body has one member: {"price": 9.5}',
      ],
      explanation: 'A merge patch has the members that change; null means the default.',
      section: 'RFC 7396 section 2',
    },
    [
      step('Send PATCH /api/Books/1 with only price.', `PATCH|PUT ${book}`, [
        when(({ method }) => method === 'PATCH', 'PUT replaces the whole book. Use PATCH.'),
        header(
          'content-type',
          /merge-patch\+json/i,
          'The Content-Type must be application/merge-patch+json.',
        ),
        when(
          (exchange) => Object.keys(jsonSent(exchange)).join() === 'price',
          'The body must have price and no other member.',
        ),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-json-patch',
    2,
    {
      title: 'Operations in order',
      goal: 'Change a book with a JSON patch that first tests a value.',
      hints: [
        'A JSON patch is a list of operations.',
        'The operation test fails if the value is another one.',
        '[{"op":"test","path":"/price","value":…},{"op":"replace",…}]',
      ],
      explanation: 'All operations are applied, or none. test makes the patch conditional.',
      section: 'RFC 6902 section 4.6',
    },
    [
      step('Send a JSON patch with test and another operation.', `PATCH ${book}`, [
        header(
          'content-type',
          /json-patch\+json/i,
          'The Content-Type must be application/json-patch+json.',
        ),
        when(
          (exchange) => operationsOf(exchange).includes('test'),
          'The patch has no operation test.',
        ),
        when(
          (exchange) => operationsOf(exchange).some((name) => changes.has(name)),
          'The patch only tests. Add an operation that changes something.',
        ),
        status(200, 'The test failed, or the patch is invalid.'),
      ]),
    ],
  ),
  rest(
    'rest-if-match',
    2,
    {
      title: 'No lost update',
      goal: 'Read an event, then change it so that a change by others in between would be detected.',
      hints: [
        'The response of GET has an entity tag.',
        'Send the tag as a condition of the write.',
        'PATCH with If-Match: {tag}',
      ],
      explanation: 'If-Match carries out a write only if the client has read this version.',
      section: 'RFC 9110 section 13.1.1',
    },
    [
      readEvent,
      step('Change it with If-Match and the tag.', `PATCH|PUT ${event}`, [
        when(({ path }, memo) => path === memo.path, 'You changed another event than you read.'),
        ...matchChecks,
        when(
          (exchange, { etag }) => sent(exchange, 'if-match') === etag,
          'If-Match has another tag than the event that you read.',
        ),
        status(200, 'The event was not changed: its body is invalid, or it has changed.'),
      ]),
    ],
  ),
  rest(
    'rest-conflict',
    3,
    {
      title: 'After the conflict',
      goal: 'Run into 412 with an outdated tag, read again, and then succeed.',
      hints: [
        'Change the event once without a condition: the old tag is then outdated.',
        'The outdated tag gets 412.',
        'Read again, and repeat the change with the new tag.',
      ],
      explanation:
        'After 412 a client reads again, applies its change to the new version, and retries.',
      section: 'RFC 9110 section 15.5.13',
    },
    [
      step('Change an event with an outdated If-Match, and get 412.', `PATCH|PUT ${event}`, [
        header('if-match', /^"/, 'This change had no strong tag in If-Match.'),
        status(412, 'The tag was current. Change the event in between.'),
      ]),
      readEvent,
      step('Change it with the new tag.', `PATCH|PUT ${event}`, [
        ...matchChecks,
        when(
          (exchange, { etag }) => sent(exchange, 'if-match') === etag,
          'If-Match does not have the tag that you read after 412.',
        ),
        status(200),
      ]),
    ],
  ),
  rest(
    'rest-required-condition',
    2,
    {
      title: 'A condition is required',
      goal: 'Change a company, after 428 has said what is missing.',
      hints: [
        'Companies reject writes without a condition.',
        'Read the company: it has ETag and Last-Modified.',
        'Send If-Match with its tag.',
      ],
      explanation: '428 lets a server insist on conditional writes.',
      section: 'RFC 6585 section 3',
    },
    [
      step('Change a company without a condition, and get 428.', 'PATCH|PUT /api/Companies/:id', [
        status(428, 'First leave the condition out.'),
      ]),
      step('Change it with a condition.', 'PATCH|PUT /api/Companies/:id', [
        when(({ status: code }) => code !== 428, 'The condition is still missing.'),
        when(
          (exchange) => sent(exchange, 'if-match') !== '*',
          'A star matches every version. Send the tag.',
        ),
        status(200, 'The condition does not match, or the body is invalid.'),
      ]),
    ],
  ),
  rest(
    'rest-minimal',
    2,
    {
      title: 'No body, please',
      goal: 'Change a book so that the response has no body, because you prefer it.',
      hints: ['A header states preferences.', 'The header is Prefer.', 'Prefer: return=minimal'],
      explanation: 'Preference-Applied says which preferences the server has followed.',
      section: 'RFC 7240 section 4.2',
    },
    [
      step('Send PATCH to a book with Prefer: return=minimal.', `PATCH ${book}`, [
        header('prefer', /./, 'You sent no Prefer.'),
        header('prefer', /return=minimal/i, 'Prefer does not have return=minimal.'),
        status(204),
      ]),
    ],
  ),
  rest(
    'rest-batch',
    3,
    {
      title: 'All or nothing',
      goal: 'Change two books in one request, so that both changes happen or none.',
      hints: [
        'POST /api/Books/batch has a list of operations.',
        'A member makes the list a unit.',
        '{"atomic": true, "operations": […]}',
      ],
      explanation: 'An atomic batch avoids half-done work, without a rollback by the client.',
      section: 'RFC 4918 section 11.1',
    },
    [
      step('Send an atomic batch with two operations.', 'POST /api/Books/batch', [
        when(
          (exchange) => jsonSent(exchange).atomic === true,
          'The batch is not atomic, so one change can fail while the other succeeds.',
        ),
        when((exchange) => {
          const { operations } = jsonSent(exchange);
          return Array.isArray(operations) && operations.length >= 2;
        }, 'The batch needs two operations.'),
        status(200, 'An operation failed, so nothing was done.'),
      ]),
    ],
  ),
  rest(
    'rest-job',
    3,
    {
      title: 'Long work',
      goal: 'Change a book as a job, and poll the job until it has succeeded. You may move the clock.',
      hints: [
        'Prefer: respond-async makes a write a job.',
        'The response is 202 with the URL of the job in Location.',
        'Poll it until status is succeeded, or 303.',
      ],
      explanation: '202 promises nothing: the job says later how it went.',
      section: 'RFC 9110 section 15.3.3',
    },
    [
      step(
        'Send PATCH to a book with Prefer: respond-async, and get 202.',
        `PATCH ${book}`,
        [
          header(
            'prefer',
            /respond-async/i,
            'You changed the book at once. Send Prefer: respond-async.',
          ),
          status(202),
        ],
        {
          keep: (exchange, memo) => ({
            ...memo,
            job: received(exchange, 'location').replace(/^.*(?=\/api\/)/, ''),
          }),
        },
      ),
      step('Poll the job of Location until it has succeeded.', 'GET /api/jobs/:id', [
        when(({ path }, { job }) => path === job, 'This is another job.'),
        when(({ status: code }) => code < 400, 'The job was not found.'),
        when(
          (exchange) => exchange.status === 303 || jsonReceived(exchange).status === 'succeeded',
          'The job has not finished yet. Poll again later.',
        ),
      ]),
    ],
    { isClockFree: true },
  ),
];

export const restTrack = [...reading, ...creating, ...changing];

/** Operations of a JSON patch that change something (RFC 6902 section 4). */
const changes: ReadonlySet<unknown> = new Set(['add', 'replace', 'remove', 'move', 'copy']);

function operationsOf({ parsed: { json } }: Exchange): readonly unknown[] {
  return Array.isArray(json) ? json.map((each: { op?: unknown } | null) => each?.op) : [];
}
