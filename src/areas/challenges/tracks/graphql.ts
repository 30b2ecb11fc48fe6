/** Challenges about GraphQL. */

import type { FieldNode } from 'graphql';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Check, Memo } from '../challenge.js';
import {
  jsonReceived,
  keep,
  markOf,
  membersOf,
  status,
  textOf,
  typeReceived,
  when,
} from '../checks.js';
import {
  argumentOf,
  directivesIn,
  fieldsIn,
  givenValue,
  graphqlParameter,
  hashIn,
  isSentVariable,
  operationOf,
  operationsIn,
  responseName,
  resultOf,
  rootFields,
  spreadsIn,
} from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';
import { graphqlCases } from './cases/graphql.js';

const graphql = inTrack('graphql', graphqlCases);

const on = 'GET|POST /graphql';

const documentOf = (exchange: Exchange) => textOf(graphqlParameter(exchange, 'query'));
const booksIn = (exchange: Exchange) => rootFields(exchange, 'book');
const idOf = (exchange: Exchange, field: FieldNode) =>
  givenValue(exchange, argumentOf(field, 'id'));
const isGot = (exchange: Exchange, field: FieldNode) =>
  typeof resultOf(exchange, field) === 'object' && resultOf(exchange, field) !== null;

const isParsed = when(
  ({ parsed }) => parsed.graphql !== undefined,
  'The document could not be parsed.',
);
const hasOperation = when(
  (exchange) => operationOf(exchange) !== undefined,
  'The request does not say which operation of the document runs.',
);
const noErrors = when(
  (exchange) => exchange.status < 400 && jsonReceived(exchange).errors === undefined,
  'The response has errors.',
);

/** Conditions on the operation that runs. */
const running = (...checks: readonly Check[]): readonly Check[] => [
  isParsed,
  hasOperation,
  ...checks,
  noErrors,
];

const twoBooks: readonly Check[] = [
  when((exchange) => booksIn(exchange).length > 1, 'The operation gets only one book.'),
  when((exchange) => {
    const names = booksIn(exchange).map(responseName);
    return new Set(names).size === names.length;
  }, 'Two books have the same name in the response.'),
  when((exchange) => {
    const ids = booksIn(exchange).map((field) => idOf(exchange, field));
    return new Set(ids).size > 1;
  }, 'The operation gets the same book twice.'),
];

const allGot = when(
  (exchange) => booksIn(exchange).every((field) => isGot(exchange, field)),
  'The response has null instead of a book.',
);

const variable: string = 'Variable';

const fieldNames = (exchange: Exchange, set: FieldNode['selectionSet']) => [
  ...new Set(fieldsIn(exchange, set).map(({ name }) => name.value)),
];

const conditionsIn = (exchange: Exchange) =>
  directivesIn(exchange).filter(({ name }) => name.value === 'include' || name.value === 'skip');

const queries = [
  graphql(
    'graphql-query',
    1,
    texts(
      'The first query',
      'Query title and author of the book 1, and nothing else.',
      'Who decides which fields a response has? | GraphQL section 2.6: the client selects fields in braces. A JSON object with query goes to /graphql. | POST /graphql with {"query": "{ book(id: 1) { title author } }"}',
      'The response has the shape of the query.',
      cite('GraphQL', '2.6'),
    ),
    [
      step(
        on,
        running(
          when(
            (exchange) => booksIn(exchange).some((field) => idOf(exchange, field) === 1),
            'The operation does not get the book 1.',
          ),
          when(
            (exchange) => fieldsIn(exchange, operationOf(exchange)?.selectionSet).length === 1,
            'The operation gets something else besides.',
          ),
          when(
            (exchange) =>
              booksIn(exchange).every(
                ({ selectionSet }) =>
                  fieldNames(exchange, selectionSet).sort().join() === 'author,title',
              ),
            'These are not exactly title and author.',
          ),
        ),
      ),
    ],
  ),
  graphql(
    'graphql-variables',
    1,
    texts(
      'Variables',
      'Get a book whose id is a variable in the document, and its value is sent beside the document.',
      'How can one document serve for every book? | GraphQL section 2.11: the operation declares a variable, as in query ($id: Int!), and an argument uses it. | POST /graphql with {"query": "query ($id: Int!) { book(id: $id) { title } }", "variables": {"id": 1}}',
      'A document that never changes can be cached, and values need no escaping.',
      cite('GraphQL', '2.11'),
    ),
    [
      step(
        on,
        running(
          when((exchange) => booksIn(exchange).length > 0, 'The operation gets no book.'),
          when(
            (exchange) =>
              booksIn(exchange).every((field) => argumentOf(field, 'id')?.kind === variable),
            'An id is written into the document.',
          ),
          when(
            (exchange) =>
              booksIn(exchange).every((field) => isSentVariable(exchange, argumentOf(field, 'id'))),
            'The document has a variable, but its value was not sent beside it.',
          ),
          allGot,
        ),
      ),
    ],
  ),
  graphql(
    'graphql-alias',
    2,
    texts(
      'Two of a kind',
      'Get two different books by the field book in one query.',
      'What if one field is needed twice, with other arguments? | GraphQL section 2.8: an alias, a name and a colon before the field, renames it in the response. | { a: book(id: 1) { title } b: book(id: 2) { title } }',
      'Aliases rename fields in the response, so that both fit.',
      cite('GraphQL', '2.8'),
    ),
    [step(on, running(...twoBooks, allGot))],
  ),
  graphql(
    'graphql-fragment',
    2,
    texts(
      'Say it once',
      'Get two different books by the field book in one query, and select the fields of each by the same named fragment.',
      'What if two selections are the same? | GraphQL section 2.9: a fragment is a named selection on a type, and three dots spread it. | fragment Parts on Book { title } { a: book(id: 1) { ...Parts } b: book(id: 2) { ...Parts } }',
      'Fragments keep selections in one place.',
      cite('GraphQL', '2.9'),
    ),
    [
      step(
        on,
        running(
          ...twoBooks,
          when(
            (exchange) => booksIn(exchange).some((field) => spreadsIn(field).length > 0),
            'No book uses a named fragment.',
          ),
          when((exchange) => {
            const [first, ...others] = booksIn(exchange);
            const shared = first === undefined ? [] : spreadsIn(first);
            return shared.some((name) => others.every((field) => spreadsIn(field).includes(name)));
          }, 'The books do not use the same fragment.'),
          allGot,
        ),
      ),
    ],
  ),
  graphql(
    'graphql-operation-name',
    2,
    texts(
      'Which one?',
      'Send a document with two named operations, and run one of them.',
      'What runs if a document has several operations? | GraphQL section 6.1: operationName says which one. | POST /graphql with {"query": "query A { book(id: 1) { title } } query B { book(id: 2) { title } }", "operationName": "A"}',
      'With several operations, the server cannot guess.',
      cite('GraphQL', '6.1'),
    ),
    [
      step(on, [
        isParsed,
        when(
          (exchange) => operationsIn(exchange).filter(({ name }) => name !== undefined).length > 1,
          'The document does not have two named operations.',
        ),
        hasOperation,
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-directive',
    3,
    texts(
      'Only if',
      'Query with a field that @include or @skip selects by a variable, whose value you send.',
      'How can one document serve a short and a long list? | GraphQL section 3.13: the directives include and skip have the argument if, which can be a variable. | query ($full: Boolean!) { book(id: 1) { title author @include(if: $full) } } with {"full": true} as variables',
      'Directives keep one document for several needs.',
      cite('GraphQL', '3.13'),
    ),
    [
      step(
        on,
        running(
          when((exchange) => conditionsIn(exchange).length > 0, 'The document has no condition.'),
          when(
            (exchange) =>
              conditionsIn(exchange).some((each) => argumentOf(each, 'if')?.kind === variable),
            'The condition is written into the document.',
          ),
          when(
            (exchange) =>
              conditionsIn(exchange).some((each) =>
                isSentVariable(exchange, argumentOf(each, 'if')),
              ),
            'The value of the variable was not sent.',
          ),
        ),
      ),
    ],
  ),
];

const isMutation = when(
  (exchange) => operationOf(exchange)?.operation === 'mutation',
  'The operation that runs is no mutation.',
);
const addedIn = (exchange: Exchange) => rootFields(exchange, 'addTodo');
const callsAddTodo = [
  isParsed,
  hasOperation,
  isMutation,
  when((exchange) => addedIn(exchange).length > 0, 'The mutation does not add a todo.'),
];

const wantedTodo = (exchange: Exchange) =>
  markOf(
    JSON.stringify(
      ['title', 'userId'].map((name) =>
        addedIn(exchange).map((field) => givenValue(exchange, argumentOf(field, name))),
      ),
    ),
  );

const priorities = ['high', 'medium', 'low'];

const mutations = [
  graphql(
    'graphql-mutation',
    1,
    texts(
      'Change something',
      'Add a todo, and get the id of this todo in the same request.',
      'Does a change need a second request to show what it made? | GraphQL section 6.2.2: a mutation selects fields of its result. | POST /graphql with {"query": "mutation { addTodo(title: \\"Learn\\", userId: 1, priority: \\"high\\") { id } }"}',
      'A mutation returns what it changed.',
      cite('GraphQL', '6.2.2'),
    ),
    [
      step(on, [
        ...callsAddTodo,
        noErrors,
        when(
          (exchange) =>
            addedIn(exchange).some((field) =>
              fieldsIn(exchange, field.selectionSet)
                .filter(({ name }) => name.value === 'id')
                .some((id) => {
                  const todo = membersOf(resultOf(exchange, field));
                  return typeof todo[responseName(id)] === 'number';
                }),
            ),
          'The result of addTodo does not have its id.',
        ),
      ]),
    ],
  ),
  graphql(
    'graphql-partial',
    3,
    texts(
      'Status 200, and yet an error',
      'Get 200 with errors from addTodo because of its priority, then add the todo with the same title and userId and a valid priority.',
      'Does 200 mean that all went well? | GraphQL section 7.1: a response has data, errors, or both. | addTodo with the priority none, then the same with high, medium or low',
      'Field errors do not change the status: check errors in every response.',
      cite('GraphQL', '7.1'),
    ),
    [
      step(
        on,
        [
          ...callsAddTodo,
          when(
            (exchange) =>
              exchange.status === 200 &&
              'data' in jsonReceived(exchange) &&
              jsonReceived(exchange).errors !== undefined,
            'There was no error of a field with 200.',
          ),
          when(
            (exchange) =>
              addedIn(exchange).some((field) => {
                const priority = givenValue(exchange, argumentOf(field, 'priority'));
                return !priorities.includes(textOf(priority).toLowerCase());
              }),
            'The priority of this todo is valid.',
          ),
        ],
        { keep: keep({ todo: wantedTodo }) },
      ),
      step(on, [
        ...callsAddTodo,
        noErrors,
        when(
          (exchange, { todo }: Memo) => wantedTodo(exchange) === todo,
          'This is another todo than the failed one.',
        ),
      ]),
    ],
  ),
];

const overHttp = [
  graphql(
    'graphql-status',
    2,
    texts(
      'A status that says so',
      'Get 400 for an invalid document by a response of the type application/graphql-response+json.',
      'Why is the status 200 although the document is invalid? | GraphQL over HTTP section 6.4: the status says so only with the media type of GraphQL. | POST /graphql with {"query": "{ unknown }"} and Accept: application/graphql-response+json',
      'With its own media type, GraphQL uses the status; with application/json it is 200.',
      cite('GraphQL over HTTP', '6.4'),
    ),
    [
      step(on, [
        when((exchange) => documentOf(exchange) !== '', 'The request has no document.'),
        when(
          (exchange) => typeReceived(exchange) === 'application/graphql-response+json',
          'The response has another type.',
        ),
        status(400, 'The document is valid.'),
      ]),
    ],
  ),
  graphql(
    'graphql-persisted',
    3,
    texts(
      'By its hash',
      'Register a document together with its hash, and run it by the hash only.',
      'Must a client send the same long document each time? | The proposal Persisted Operations of GraphQL over HTTP: an id stands for the document. Here it is extensions.persistedQuery with version 1 and sha256Hash. | POST {"query": …, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": …}}}, then the same without query',
      'Persisted documents make requests small.',
      cite('GraphQL over HTTP, Persisted Operations', 'Sending'),
    ),
    [
      step(
        on,
        [
          when((exchange) => documentOf(exchange) !== '', 'This request has no document.'),
          when((exchange) => hashIn(exchange) !== '', 'This request has no hash.'),
          noErrors,
        ],
        { keep: keep({ hash: (exchange) => markOf(hashIn(exchange)) }) },
      ),
      step(on, [
        when((exchange) => documentOf(exchange) === '', 'You sent the document again.'),
        when((exchange, { hash }) => markOf(hashIn(exchange)) === hash, 'This is another hash.'),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-get',
    2,
    texts(
      'A query in the URL',
      'Run a query with GET, and get its result without errors.',
      'Which requests can a cache respond to? | GraphQL over HTTP section 5.3: a query may be sent with GET, percent-encoded in the parameter query. | curl -G --data-urlencode "query={ book(id: 1) { title } }" with /graphql',
      'GET can be cached, but must not change anything.',
      cite('GraphQL over HTTP', '5.3'),
    ),
    [
      step('GET|POST /graphql', [
        when(({ method }) => method === 'GET', 'You sent POST.'),
        when(({ parsed }) => parsed.graphql !== undefined, 'No document ran.'),
        noErrors,
      ]),
    ],
  ),
];

export const graphqlTrack = [...queries, ...mutations, ...overHttp];
