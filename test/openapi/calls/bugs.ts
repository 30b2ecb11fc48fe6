/** Calls of the bugs of a sandbox. */

import type { CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

export const callBugs: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'my-bugs' };
  const json = { level: 'junior', count: 1, seed: 4 };
  const report = { method: 'GET', path: '/api/Companies/999', expected: 404, actual: 200 };
  await caller.call('putSandboxBugs', 'One bug', { headers, json });
  await caller.call('postSandboxBugsReports', 'A bug', { headers, json: report });
  await caller.call('postSandboxBugsReports', 'Right behaviour', {
    headers,
    json: { ...report, path: '/api/Companies/1' },
  });
  await caller.call('getSandboxBugs', 'After a report', { headers });
  await caller.call('deleteSandboxBugs', 'All bugs', { headers });
  await caller.call('postSandboxBugsReports', 'Without bugs', { headers, json: report });
  await caller.call('postSandboxBugsReports', 'In the shared sandbox', { json: report });
  await caller.call('getSandboxBugs', 'In the shared sandbox');
  await caller.call('deleteSandboxBugs', 'In the shared sandbox');
  await caller.call('putSandboxBugs', 'In the shared sandbox', { json });
  await caller.call('putSandboxBugs', 'Too many', { headers, json: { ...json, count: 51 } });
  await caller.call('postSandboxBugsReports', 'Not a path', {
    headers,
    json: { ...report, path: 'Companies' },
  });
  await caller.call('postSandboxBugsReports', 'Words without a value', {
    headers,
    json: { ...report, expected: '', actual: '' },
  });
  const query = { level: 'junior', count: 2, seed: 4 };
  await caller.call('getBugsGroundTruth', 'A seed', { query });
  await caller.call('getBugsGroundTruth', 'The last search', { headers, isNoExample: true });
  await caller.call('getBugsGroundTruth', 'Without a seed');
  const searching = { 'X-Sandbox': 'my-search' };
  await caller.call('putSandboxBugs', 'Random bugs', {
    headers: searching,
    json: { level: 'senior' },
  });
  await caller.call('getBugsGroundTruth', 'During a search', { headers: searching, query });
  await callRejectedBodies(caller, 'putSandboxBugs');
  await callRejectedBodies(caller, 'postSandboxBugsReports');
};
