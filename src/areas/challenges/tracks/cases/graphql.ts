/** Lawful ways and near misses of the track graphql. */

import type { Cases } from '../../challenge.js';

const gql = (document: string, more = '') => `POST /graphql | gql ${document}${more}`;
const get = (document: string, more = '') => `GET /graphql?query=<<encode ${document}>>${more}`;
const variables = (values: string) => ` | with {"variables":${values}}`;

const short = '{ book(id: 1) { title } }';
const two = '{ a: book(id: 1) { title } b: book(id: 2) { title } }';
const byId = 'query ($id: Int!) { book(id: $id) { title } }';
const parts = 'fragment P on Book { title }';
const spread = '{ a: book(id: 1) { ...P } b: book(id: 2) { ...P } }';
const named = `query A ${short} query B ${two}`;
const full = 'query ($full: Boolean!) { book(id: 1) { title author @include(if: $full) } }';
const addTodo = (priority: string, select = '{ id }', title = 'Learn') =>
  `mutation { addTodo(title: "${title}", userId: 1, priority: "${priority}") ${select} }`;
const response = ' | Accept: application/graphql-response+json';
/** SHA-256 of `{ __typename }`. */
const typename = '{ __typename }';
const hash = '7f56e67dd21ab3f30d1ff8b7bed08893f0a0db86449836189b361dd1e56ddb4b';
const extensions = `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"${hash}"}}`;
const register = gql(typename, ` | with {${extensions}}`);
const byHash = `POST /graphql | {${extensions}}`;

const queries: Readonly<Record<string, Cases>> = {
  'graphql-query': {
    accepts: [
      gql('{ book(id: 1) { title author } }'),
      gql('query ($id: Int!) { b: book(id: $id) { author name: title } }', variables('{"id":1}')),
      gql('fragment P on Book { title } # price\n{ book(id: 1) { ...P author } }'),
      get('{ book(id: 1) { title author } }'),
    ],
    rejects: [
      ['not exactly', gql('{ book(id: 1) { title author price } }')],
      ['not get the book 1', gql('{ books { title author } }')],
      [
        'not get the book 1',
        gql('# first: book(id: 1) { title author }\n{ book(id: 2) { title author } }'),
      ],
      ['something else', gql('{ book(id: 1) { title author } users { id } }')],
      ['not get the book 1', gql('{ book(id: 2) { title author } users { id } }')],
      ['not be parsed', gql('{ book(id: 1) { title author }')],
    ],
  },
  'graphql-variables': {
    accepts: [
      gql(byId, variables('{"id":1}')),
      gql('query Q($book: Int!) { a: book(id: $book) { id } }', variables('{"book":2}')),
      get(byId, '&variables=<<encode {"id":3}>>'),
    ],
    rejects: [
      ['written into', gql(short)],
      ['not sent beside', gql(byId)],
      [
        'written into',
        gql(
          'query ($id: Int!) { book(id: 1) { title } b: book(id: $id) { id } }',
          variables('{"id":99999}'),
        ),
      ],
      ['null instead', gql(byId, variables('{"id":99999}'))],
      ['written into', gql(`# book(id: $id)\n${short}`, variables('{"id":1}'))],
    ],
  },
  'graphql-alias': {
    accepts: [
      gql(two),
      gql('query { book(id: 1) { title } other: book(id: 2) { id } }'),
      gql(
        'query ($a: Int!, $b: Int!) { x: book(id: $a) { id } y: book(id: $b) { id } }',
        variables('{"a":3,"b":4}'),
      ),
    ],
    rejects: [
      ['only one book', gql(short)],
      ['same name', gql('{ book(id: 1) { title } book(id: 2) { title } }')],
      ['same book twice', gql('{ a: book(id: 1) { title } b: book(id: 1) { title } }')],
      ['null instead', gql('{ a: book(id: 1) { title } b: book(id: 99999) { title } }')],
      ['only one book', gql(`# b: book(id: 2) { title }\n${short}`)],
    ],
  },
  'graphql-fragment': {
    accepts: [
      gql(`${parts} ${spread}`),
      gql(`query ${spread} ${parts}`),
      gql(`query { a: book(id: 3) { id ...P } b: book(id: 4) { ...P author } } ${parts}`),
    ],
    rejects: [
      ['No book uses', gql(two)],
      ['only one book', gql(`${parts} { book(id: 1) { ...P } }`)],
      [
        'not use the same',
        gql(
          `${parts} fragment Q on Book { id } { a: book(id: 1) { ...P } b: book(id: 2) { ...Q } }`,
        ),
      ],
      ['same book twice', gql(`${parts} { a: book(id: 1) { ...P } b: book(id: 1) { ...P } }`)],
      ['No book uses', gql(`# ${parts} ...P ...P\n${two}`)],
    ],
  },
  'graphql-operation-name': {
    accepts: [
      gql(named, ' | with {"operationName":"A"}'),
      gql(named, ' | with {"operationName":"B","variables":{}}'),
      get(named, '&operationName=B'),
    ],
    rejects: [
      ['does not say which', gql(named)],
      ['two named', gql(`query A ${short}`, ' | with {"operationName":"A"}')],
      ['does not say which', gql(named, ' | with {"operationName":"C"}')],
      ['two named', gql(`# query B ${short}\nquery A ${short}`, ' | with {"operationName":"A"}')],
    ],
  },
  'graphql-directive': {
    accepts: [
      gql(full, variables('{"full":false}')),
      gql(full.replace('include', 'skip'), variables('{"full":true}')),
      get(full, '&variables=<<encode {"full":true}>>'),
    ],
    rejects: [
      ['condition is written', gql('{ book(id: 1) { title author @skip(if: true) } }')],
      ['no condition', gql(short)],
      ['no condition', gql(`# @include(if: $full)\n${short}`, variables('{"full":true}'))],
      ['not sent', gql(full)],
    ],
  },
};

const mutations: Readonly<Record<string, Cases>> = {
  'graphql-mutation': {
    accepts: [
      gql(addTodo('high')),
      gql(addTodo('LOW', '{ number: id title }')),
      gql(`fragment T on Todo { id } ${addTodo('medium', '{ ...T }')}`),
      gql(
        'mutation ($title: String!) { t: addTodo(title: $title, userId: 1, priority: "low") { id } }',
        variables('{"title":"Learn"}'),
      ),
    ],
    rejects: [
      ['no mutation', gql(short)],
      ['has errors', gql(addTodo('none'))],
      ['not have its id', gql(addTodo('low', '{ title } toggleTodo(id: 1) { id }'))],
      ['not add a todo', gql('mutation { toggleTodo(id: 1) { id } }')],
    ],
  },
  'graphql-partial': {
    accepts: [
      `${gql(addTodo('none'))} && ${gql(addTodo('low'))}`,
      `${gql(addTodo('urgent', '{ title }'))} && ${gql(short)} && ${gql(addTodo('HIGH'))}`,
      `${gql(addTodo('none'))} && ${gql(addTodo('none'))} && ${gql(addTodo('medium', '{ title }'))}`,
    ],
    rejects: [
      ['no error of a field', gql(addTodo('low'))],
      ['another todo', `${gql(addTodo('none'))} && ${gql(addTodo('low', '{ id }', 'Rest'))}`],
      ['has errors', `${gql(addTodo('none'))} && ${gql(addTodo('none'))}`],
      ['priority of this todo is valid', gql(addTodo('low', '{ id }', ' '))],
    ],
  },
};

const overHttp: Readonly<Record<string, Cases>> = {
  'graphql-status': {
    accepts: [
      gql('{ none }', response),
      gql('{ none }'),
      gql('{ book(id: 1) { title }', `${response};q=0.9, application/json;q=0.5`),
      get('{ none }', response),
    ],
    rejects: [
      ['document is valid', gql(short, response)],
      ['another type', gql('{ none }', ' | Accept: application/json')],
      ['another type', gql('{ none }', `${response};q=0.1, application/json`)],
      ['no document', `POST /graphql${response} | {}`],
    ],
  },
  'graphql-persisted': {
    accepts: [
      `${register} && ${byHash}`,
      `${byHash} && ${register} && ${byHash}`,
      `${register} && GET /graphql?extensions=<<encode {"persistedQuery":{"version":1,"sha256Hash":"${hash}"}}>>`,
    ],
    rejects: [
      ['document again', `${register} && ${register}`],
      ['no hash', gql(typename)],
      ['no document', byHash],
      ['another hash', `${register} && ${byHash.replace('7f56e6', '000000')}`],
    ],
  },
  'graphql-get': {
    accepts: [
      get(short),
      get(named, '&operationName=A'),
      get(byId, '&variables=<<encode {"id":1}>>'),
    ],
    rejects: [
      ['sent POST', gql(short)],
      ['No document', 'GET /graphql?query='],
      ['has errors', get('{ none }')],
      ['has errors', get(addTodo('high'))],
    ],
  },
};

export const graphqlCases = { ...queries, ...mutations, ...overHttp };
