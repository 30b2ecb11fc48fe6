/** Calls of challenges, and of recorded requests. */

import type { CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

const path = { id: 'http-head' };
const unknown = { id: 'none' };

export const callChallenges: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'solving' };
  await caller.call('getChallenges', 'A track', { query: { track: 'soap', level: 3 } });
  await caller.call('getChallenges', 'An unknown track', { query: { track: 'none' } });
  const isNoExample = true;
  await caller.call('postChallengesByIdStart', 'A challenge', { path, headers });
  await caller.call('postChallengesByIdStart', 'An unknown challenge', { path: unknown, headers });
  await caller.call('postChallengesByIdStart', 'In the shared sandbox', { path });
  await caller.send('getBooksById', { path: { id: 1 }, headers });
  await caller.call('getChallengesById', 'A challenge', { path });
  await caller.call('getChallengesById', 'An unknown challenge', { path: unknown });
  for (const name of ['The first', 'The second', 'The third', 'No more']) {
    await caller.call('postChallengesByIdHint', `${name} hint`, { path, headers });
  }
  await caller.call('postChallengesByIdHint', 'An unknown challenge', { path: unknown, headers });
  await caller.call('postChallengesByIdHint', 'In the shared sandbox', { path });
  await caller.call('getChallengesProgress', 'The progress', { headers });
  await caller.call('deleteChallengesProgress', 'Reset', { headers });
  await caller.call('deleteChallengesProgress', 'In the shared sandbox');

  await caller.call('putSandboxRecording', 'Start', { headers, json: { on: true } });
  await caller.call('putSandboxRecording', 'In the shared sandbox', { json: { on: true } });
  await callRejectedBodies(caller, 'putSandboxRecording');
  await caller.send('getBooksById', { path: { id: 1 }, headers });
  await caller.call('getSandboxRequests', 'The requests', { headers, isNoExample });
  await caller.call('getSandboxRequests', 'An invalid id', { headers, query: { since: 'x' } });
  await caller.call('getSandboxRequests', 'In the shared sandbox');
};
