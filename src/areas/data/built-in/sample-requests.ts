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

/** The operations of a collection end in its title. Those of collections that are not shown are left out. */
export function sampleRequests(collection: DeclaredCollection): RequestCollection {
  const { name, title, noun, relations } = collection;
  const flows = flowsOf[name];
  const byId = (method: string) => `${method}${title}ById`;
  if (flows === undefined) {
    const children = relations.filter(({ kind }) => kind === 'children');
    const alike = [`get${title}Count`, `post${title}`, ...['put', 'patch', 'delete'].map(byId)];
    const all = [...alike, ...children.map(({ segment }) => `${byId('post')}${segment}`)];
    const why = 'It is as with events and books, which are there.';
    return { leftOut: Object.fromEntries(all.map((operationId) => [operationId, why])) };
  }
  const path = { id: `{{${noun}Id}}` };
  return {
    adaptations: {
      [`post${title}`]: { keeps: { [`${noun}Id`]: member('id'), [`${noun}Tag`]: entityTag } },
      [byId('put')]: { path, headers: { 'If-Match': `{{${noun}Tag}}` } },
      [byId('patch')]: { path },
      [byId('delete')]: { path },
    },
    endings: [byId('delete')],
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

const path = { id: '{{taggedEventId}}' };

const change = (price: number, headers?: Readonly<Record<string, string>>) => ({
  operationId: 'patchEventsById',
  request: { path, ...(headers && { headers }), body: json({ price }) },
});

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
      request: { path, headers: { 'If-None-Match': '{{firstTag}}' } },
      status: 304,
    },
    {
      id: 'tagChanged',
      title: 'It changes',
      ...change(12.5),
      status: 200,
      keeps: { secondTag: entityTag },
      tests: `pm.test('and so does its entity tag', () => {
  pm.expect(pm.response.headers.get('ETag')).to.not.eql(pm.variables.get('firstTag'));
});`,
    },
    {
      id: 'tagRefused',
      title: 'A change of what it was is rejected',
      ...change(20, { 'If-Match': '{{firstTag}}' }),
      status: 412,
      tests: `pm.test('it names the entity tag that it has now', () => {
  pm.expect(pm.response.headers.get('ETag')).to.eql(pm.variables.get('secondTag'));
});`,
    },
    {
      id: 'tagTaken',
      title: 'A change of what it is is taken',
      ...change(20, { 'If-Match': '{{secondTag}}' }),
      status: 200,
      tests: `pm.test('the new price', () => pm.expect(pm.response.json().price).to.eql(20));`,
    },
    {
      id: 'tagDeleted',
      title: 'It goes',
      operationId: 'deleteEventsById',
      request: { path },
      status: 204,
    },
  ],
};

/** Of collections that are shown; the others are alike. */
const flowsOf: Readonly<Partial<Record<CollectionName, readonly Flow[]>>> = {
  books: [],
  events: [entityTagFlow],
};
