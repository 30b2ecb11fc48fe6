/** What Postman and editors need to know of the requests to REST collections. */

import type { CollectionName } from '../../../data/records.js';
import {
  type Flow,
  json,
  member,
  type RequestCollection,
  type ResponsePart,
} from '../../../kit/request-collection.js';
import type { DeclaredCollection } from './collections.js';

const entityTag: ResponsePart = { header: 'ETag' };

const alikeIn = (title: string) => [
  `get${title}Count`,
  `post${title}`,
  `put${title}ById`,
  `patch${title}ById`,
  `delete${title}ById`,
];

function leftOut(...operationIds: readonly (readonly string[])[]) {
  const why = 'It is as with events and books, which are there.';
  return Object.fromEntries(operationIds.flat().map((operationId) => [operationId, why]));
}

/** The operations of a collection end in its title. */
export function sampleRequests({
  name,
  title,
  noun,
  relations,
}: DeclaredCollection): RequestCollection {
  const flows = flowsOf[name];
  const creations = relations
    .filter(({ kind }) => kind === 'children')
    .map(({ segment }) => `post${title}ById${segment}`);
  if (flows === undefined) return { leftOut: leftOut(alikeIn(title), creations) };
  const path = { id: `{{${noun}Id}}` };
  return {
    adaptations: {
      [`post${title}`]: { keeps: { [`${noun}Id`]: member('id'), [`${noun}Tag`]: entityTag } },
      [`put${title}ById`]: { path, headers: { 'If-Match': `{{${noun}Tag}}` } },
      [`patch${title}ById`]: { path },
      [`delete${title}ById`]: { path },
    },
    endings: [`delete${title}ById`],
    flows,
  };
}

export const jobRequests: RequestCollection = {
  adaptations: {
    postJobs: { keeps: { jobId: member('id') } },
    getJobsById: { path: { id: '{{jobId}}' } },
  },
  leftOut: {
    deleteJobsById: 'It needs a job that is still running.',
    getJobsByIdResult: 'It needs a job that has succeeded.',
    postTodosByIdRestore: 'It needs a todo that is in the trash.',
  },
};

const event = {
  name: 'Night of Open Libraries',
  category: 'Culture',
  city: 'Lyon',
  startsAt: '2027-03-12T18:00:00Z',
  endsAt: '2027-03-12T23:00:00Z',
  capacity: 200,
};

const entityTagFlow: Flow = {
  title: 'Entity tags',
  description: 'Nothing is sent twice, and nothing is overwritten that changed meanwhile.',
  steps: [
    {
      id: 'tagCreated',
      title: 'An event',
      operationId: 'postEvents',
      request: { body: json(event) },
      status: 201,
      keeps: { taggedEventId: member('id'), firstTag: entityTag },
    },
    {
      id: 'tagKnown',
      title: 'It is known already',
      operationId: 'getEventsById',
      request: {
        path: { id: '{{taggedEventId}}' },
        headers: { 'If-None-Match': '{{firstTag}}' },
      },
      status: 304,
    },
    {
      id: 'tagChanged',
      title: 'It changes',
      operationId: 'patchEventsById',
      request: { path: { id: '{{taggedEventId}}' }, body: json({ price: 12.5 }) },
      status: 200,
      keeps: { secondTag: entityTag },
      tests: `pm.test('and so does its entity tag', () => {
  pm.expect(pm.response.headers.get('ETag')).to.not.eql(pm.variables.get('firstTag'));
});`,
    },
    {
      id: 'tagRefused',
      title: 'A change of what it was is rejected',
      operationId: 'patchEventsById',
      request: {
        path: { id: '{{taggedEventId}}' },
        headers: { 'If-Match': '{{firstTag}}' },
        body: json({ price: 20 }),
      },
      status: 412,
      tests: `pm.test('it names the entity tag that it has now', () => {
  pm.expect(pm.response.headers.get('ETag')).to.eql(pm.variables.get('secondTag'));
});`,
    },
    {
      id: 'tagTaken',
      title: 'A change of what it is is taken',
      operationId: 'patchEventsById',
      request: {
        path: { id: '{{taggedEventId}}' },
        headers: { 'If-Match': '{{secondTag}}' },
        body: json({ price: 20 }),
      },
      status: 200,
      tests: `pm.test('the new price', () => pm.expect(pm.response.json().price).to.eql(20));`,
    },
    {
      id: 'tagDeleted',
      title: 'It goes',
      operationId: 'deleteEventsById',
      request: { path: { id: '{{taggedEventId}}' } },
      status: 204,
    },
  ],
};

/** Of collections that are shown; the others are alike. */
const flowsOf: Readonly<Partial<Record<CollectionName, readonly Flow[]>>> = {
  books: [],
  events: [entityTagFlow],
};
