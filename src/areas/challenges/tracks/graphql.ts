/** Challenges about GraphQL. */

import type { Exchange } from '../../../kit/recording/exchange-record.js';
import type { Check } from '../challenge.js';
import { header, jsonReceived, jsonSent, markOf, status, textOf, when } from '../checks.js';
import { fieldsOf, isVariable, nodesOf, operationsIn, selectsOnly } from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';

const graphql = inTrack('graphql');

const on = 'POST /graphql';
const documentOf = (exchange: Exchange) => textOf(jsonSent(exchange).query);
const isParsed = when(
  ({ parsed }) => parsed.graphql !== undefined,
  'The document could not be parsed. Read the errors of the response.',
);
/** A condition on a document that could be parsed. */
const document = (holds: (exchange: Exchange) => boolean, otherwise: string): readonly Check[] => [
  isParsed,
  when(holds, otherwise),
];
const callsAddTodo = document(
  (exchange) => fieldsOf(exchange, 'addTodo').length > 0,
  'Use addTodo.',
);
const conditions = (exchange: Exchange) =>
  nodesOf(exchange, 'Directive').filter(({ name }) => ['include', 'skip'].includes(name.value));
const noErrors = when(
  (exchange) => exchange.status < 400 && jsonReceived(exchange).errors === undefined,
  'The response has errors. Read their messages.',
);
const isJson = header('content-type', /json/i, 'The Content-Type must be application/json.');
const section = (name: string) => `GraphQL September 2025 section ${name}`;

export const graphqlTrack = [
  graphql(
    'graphql-query',
    1,
    texts(
      'The first query',
      'Query title and author of the book 1, and nothing else.',
      'POST a JSON object with query to /graphql. | { book(id: 1) { … } } | Select exactly title and author.',
      'The response has the shape of the query.',
      section('2.5'),
    ),
    [
      step('Query title and author of the book 1.', on, [
        isJson,
        ...document(
          (exchange) => fieldsOf(exchange, 'book').some((field) => field.arguments?.length),
          'Query the field book with the argument id.',
        ),
        ...document(
          (exchange) =>
            nodesOf(exchange, 'SelectionSet').some((set) => selectsOnly(set, ['title', 'author'])),
          'Select exactly title and author.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-variables',
    1,
    texts(
      'Variables',
      'Query a book whose id is a variable.',
      'Declare the variable: query ($id: Int!) | Use it as an argument: book(id: $id) | Send {"variables": {"id": 1}}',
      'A document that never changes can be cached, and values need no escaping.',
      section('2.10'),
    ),
    [
      step('Query a book with the variable id.', on, [
        ...document(
          (exchange) => fieldsOf(exchange, 'book').some((field) => isVariable(field, 'id')),
          'The id is written into the document. Use a variable.',
        ),
        when(
          (exchange) => typeof jsonSent(exchange).variables === 'object',
          'The document has a variable, but the body has no variables.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-alias',
    2,
    texts(
      'Two of a kind',
      'Get two books in one query.',
      'The same field with other arguments needs another name. | An alias is a name and a colon before the field. | { a: book(id: 1) { title } b: book(id: 2) { title } }',
      'Aliases rename fields in the response, so that both fit.',
      section('2.7'),
    ),
    [
      step('Query book twice with aliases.', on, [
        ...document(
          (exchange) => fieldsOf(exchange, 'book').length > 1,
          'The query has only one book.',
        ),
        ...document(
          (exchange) => fieldsOf(exchange, 'book').some(({ alias }) => alias !== undefined),
          'Two books have the same name in the response. Add aliases.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-fragment',
    2,
    texts(
      'Say it once',
      'Use a fragment for the fields of two books.',
      'A fragment is a named selection. | fragment Parts on Book { title author } | Spread it with ...Parts',
      'Fragments keep selections in one place.',
      section('2.8'),
    ),
    [
      step('Query two books with a named fragment.', on, [
        ...document(
          (exchange) =>
            nodesOf(exchange, 'FragmentDefinition').some(
              ({ typeCondition }) => typeCondition.name.value === 'Book',
            ),
          'The document defines no fragment on Book.',
        ),
        ...document(
          (exchange) => nodesOf(exchange, 'FragmentSpread').length > 1,
          'Spread the fragment in two places.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-operation-name',
    2,
    texts(
      'Which one?',
      'Send a document with two operations, and run one of them.',
      'Name both operations. | operationName says which one runs. | {"query": "query A {…} query B {…}", "operationName": "A"}',
      'With several operations, the server cannot guess.',
      section('6.1'),
    ),
    [
      step('Send two operations with operationName.', on, [
        ...document(
          (exchange) => operationsIn(exchange).filter(({ name }) => name !== undefined).length > 1,
          'The document needs two named operations.',
        ),
        when(
          (exchange) => typeof jsonSent(exchange).operationName === 'string',
          'The body has no operationName.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-mutation',
    1,
    texts(
      'Change something',
      'Add a todo, and get its id in the same request.',
      'The operation is a mutation. | addTodo(title: "…", userId: 1, priority: "high") | Select id.',
      'A mutation returns what it changed.',
      section('6.2.2'),
    ),
    [
      step('Send the mutation addTodo, and select id.', on, [
        ...document(
          (exchange) => operationsIn(exchange).some(({ operation }) => operation === 'mutation'),
          'The operation is not a mutation.',
        ),
        ...callsAddTodo,
        ...document((exchange) => fieldsOf(exchange, 'id').length > 0, 'Select id in the result.'),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-partial',
    3,
    texts(
      'Status 200, and yet an error',
      'Get 200 with errors from a mutation, then send it without the fault.',
      'A priority outside of high, medium, low fails. | The status is 200, but the body has errors. | Send addTodo again with a valid priority.',
      'Field errors do not change the status: check errors in every response.',
      section('7.1'),
    ),
    [
      step('Get a field error from addTodo.', on, [
        ...callsAddTodo,
        when(
          (exchange) =>
            exchange.status === 200 &&
            jsonReceived(exchange).errors !== undefined &&
            'data' in jsonReceived(exchange),
          'There was no field error. Send an invalid priority.',
        ),
      ]),
      step('Add the todo with a valid priority.', on, [...callsAddTodo, noErrors]),
    ],
  ),
  graphql(
    'graphql-status',
    2,
    texts(
      'A status that says so',
      'Get 400 for an invalid document, by the media type of GraphQL.',
      'Query an unknown field. | The media type is application/graphql-response+json. | Send it in Accept.',
      'With its own media type, GraphQL uses the status; with application/json it is 200.',
      'GraphQL over HTTP section 6.4',
    ),
    [
      step('Get 400 with Accept: application/graphql-response+json.', on, [
        header(
          'accept',
          /graphql-response\+json/i,
          'Your Accept does not have application/graphql-response+json.',
        ),
        status(400, 'The document is valid. Query an unknown field.'),
      ]),
    ],
  ),
  graphql(
    'graphql-directive',
    3,
    texts(
      'Only if',
      'Include a field by a variable.',
      'A directive includes or skips a field. | @include(if: $full) | Declare $full: Boolean!',
      'Directives keep one document for several needs.',
      section('3.13'),
    ),
    [
      step('Query with @include or @skip and a variable.', on, [
        ...document(
          (exchange) => conditions(exchange).length > 0,
          'The document has no directive.',
        ),
        ...document(
          (exchange) => conditions(exchange).some((directive) => isVariable(directive, 'if')),
          'The condition must be a variable.',
        ),
        noErrors,
      ]),
    ],
  ),
  graphql(
    'graphql-persisted',
    3,
    texts(
      'By its hash',
      'Register a document by its hash, and run it by the hash only.',
      'The hash goes into extensions.persistedQuery. | First send document and hash together. | Then only the hash: sha256 in hex.',
      'Persisted documents make requests small.',
      'GraphQL over HTTP, appendix: persisted documents',
    ),
    [
      step(
        'Send a document with its hash.',
        on,
        [
          when(
            (exchange) => documentOf(exchange) !== '',
            'The first request needs the document too.',
          ),
          when(
            (exchange) => hashIn(exchange) !== '',
            'The body has no extensions.persistedQuery.sha256Hash.',
          ),
          noErrors,
        ],
        { keep: (exchange, memo) => ({ ...memo, hash: markOf(hashIn(exchange)) }) },
      ),
      step('Send only the hash.', on, [
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
      'Send a query with GET.',
      'The parameter is query. | It must be percent-encoded. | curl -G --data-urlencode "query={…}"',
      'GET can be cached, but must not change anything.',
      'GraphQL over HTTP section 5.3',
    ),
    [
      step('Send GET /graphql?query=…', 'GET|POST /graphql', [
        when(({ method }) => method === 'GET', 'You sent POST. Use GET.'),
        when(({ query }) => query.has('query'), 'The URL has no query parameter query.'),
        noErrors,
      ]),
    ],
  ),
];

function hashIn(exchange: Exchange): string {
  const extensions = jsonSent(exchange).extensions as
    | { persistedQuery?: { sha256Hash?: unknown } }
    | null
    | undefined;
  return textOf(extensions?.persistedQuery?.sha256Hash);
}
