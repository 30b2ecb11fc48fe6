/** REST collections in exported request collections and .http files. */

import type { CollectionName } from '#data/records.js';
import type { ResponsePart } from '#kit/example.js';
import { type Flow, json, member, type RequestCollection } from '#kit/request-collection.js';
import type { DeclaredCollection } from './collections.js';

const entityTag: ResponsePart = { header: 'ETag' };

/** Ids of operations end with the collection's title. Collections that are not shown are omitted. */
export function sampleRequests(collection: DeclaredCollection): RequestCollection {
  const { name, title, noun, relations } = collection;
  const flows = flowsOf[name];
  const byId = (method: string) => `${method}${title}ById`;
  if (flows === undefined) {
    const children = relations.filter(({ kind }) => kind === 'children');
    const alike = [`get${title}Count`, `post${title}`, ...['put', 'patch', 'delete'].map(byId)];
    const all = [...alike, ...children.map(({ segment }) => `${byId('post')}${segment}`)];
    const why = 'It works like events and books, which are included.';
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
    postTodosByIdRestore: 'It needs a todo in the trash.',
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
  description: 'Repeated requests have no effect, and changed records are not overwritten.',
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
      title: "The client's copy is current",
      operationId: 'getEventsById',
      request: { path, headers: { 'If-None-Match': '{{firstTag}}' } },
      status: 304,
    },
    {
      id: 'tagChanged',
      title: 'It is changed',
      ...change(12.5),
      status: 200,
      keeps: { secondTag: entityTag },
      tests: `pm.test('its entity tag has changed, too', () => {
  pm.expect(pm.response.headers.get('ETag')).to.not.eql(pm.variables.get('firstTag'));
});`,
    },
    {
      id: 'tagRefused',
      title: 'A change of the old version is rejected',
      ...change(20, { 'If-Match': '{{firstTag}}' }),
      status: 412,
      tests: `pm.test('the response has the current entity tag', () => {
  pm.expect(pm.response.headers.get('ETag')).to.eql(pm.variables.get('secondTag'));
});`,
    },
    {
      id: 'tagTaken',
      title: 'A change of the current version is accepted',
      ...change(20, { 'If-Match': '{{secondTag}}' }),
      status: 200,
      tests: `pm.test('the new price', () => pm.expect(pm.response.json().price).to.eql(20));`,
    },
    {
      id: 'tagDeleted',
      title: 'It is deleted',
      operationId: 'deleteEventsById',
      request: { path },
      status: 204,
    },
  ],
};

/** Only collections that are shown; the others work the same way. */
const flowsOf: Readonly<Partial<Record<CollectionName, readonly Flow[]>>> = {
  books: [],
  events: [entityTagFlow],
};
