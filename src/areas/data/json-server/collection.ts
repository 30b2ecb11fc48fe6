/** json-server's paths in exported request collections. */

import { member, type RequestCollection } from '#kit/request-collection.js';

/** Names in the response to PUT /api/sandbox/data. A request that uses one loads the data first. */
const names = {
  ownParents: member('relations', '0', 'parents'),
  ownChildren: member('relations', '0', 'children'),
  ownSingle: member('singles', '0'),
};

const ofRecord = { path: { resource: '{{ownParents}}' } };
const ofNested = { path: { resource: '{{ownParents}}', nested: '{{ownChildren}}' } };
const ofSingle = { path: { resource: '{{ownSingle}}' } };

export const jsonServerCollection: RequestCollection = {
  adaptations: {
    putSandboxData: { keeps: names },
    deleteSandboxData: { forgets: Object.keys(names) },
    getJsonServerByResource: ofRecord,
    getJsonServerByResourceById: ofRecord,
    getJsonServerByResourceByIdByNested: ofNested,
    postJsonServerByResource: ofRecord,
    postJsonServerByResourceByIdByNested: ofNested,
    putJsonServerByResource: ofSingle,
    patchJsonServerByResource: ofSingle,
    putJsonServerByResourceById: ofRecord,
    patchJsonServerByResourceById: ofRecord,
    deleteJsonServerByResourceById: ofRecord,
  },
};
