/** Calls of classes. */

import type { CallTable } from '../caller.js';

export const callClasses: CallTable = async (caller) => {
  const created = await caller.call('postClasses', 'A class', { json: { name: 'Monday' } });
  await caller.call('postClasses', 'Without a name', { json: {} });
  const { id, joinCode, teacherKey } = created.json;
  const headers = { 'X-Teacher-Key': teacherKey };
  const path = { id };
  const own = { path, headers };
  const ada = await caller.call('postClassesJoin', 'A pupil', { json: { joinCode, name: 'Ada' } });
  await caller.call('postClassesJoin', 'Without a name', { json: { joinCode } });
  const joined = await caller.send('postClassesJoin', { json: { joinCode, name: 'Ben' } });
  const prefix = new URL(joined.json.address).pathname;
  const ofCode = { path: { code: joinCode } };
  const { code } = ada.json;
  await caller.call('postClassesByCodeRejoin', 'A pupil', { ...ofCode, json: { code } });
  await caller.call('postClassesByCodeRejoin', 'Without a code', { ...ofCode, json: {} });
  const wrongOwn = { ...ofCode, json: { code: 'AAAAAA' } };
  await caller.call('postClassesByCodeRejoin', 'A wrong code', wrongOwn);
  for (let sent = 1; sent < 10; sent++) await caller.send('postClassesByCodeRejoin', wrongOwn);
  await caller.call('postClassesByCodeRejoin', 'Too many wrong codes', wrongOwn);
  const inClass = { prefix, isNoExample: true } as const;

  const json = { frozen: false, ranking: true, assigned: ['http-head'] };
  await caller.call('patchClassesById', 'Assign a challenge', { ...own, json });
  await caller.call('patchClassesById', 'An unknown challenge', {
    ...own,
    json: { assigned: ['none'] },
  });
  const text = 'Start with HEAD.';
  await caller.call('postClassesByIdMessages', 'A message', { ...own, json: { text } });
  await caller.call('postClassesByIdMessages', 'Nothing', { ...own, json: { text: '' } });
  await caller.call('getClassesById', 'The board', own);
  await caller.call('getClassesByIdHunt', 'Before the first hunt', own);
  await caller.call('putClassesByIdHunt', 'A hunt', { ...own, json: { level: 'junior', seed: 4 } });
  await caller.call('putClassesByIdHunt', 'An unknown level', { ...own, json: { level: 'x' } });
  await caller.call('deleteSandboxBugs', 'By a pupil', inClass);
  await caller.call('putSandboxBugs', 'By a pupil', { ...inClass, json: { level: 'none' } });
  await caller.call('putClassesByIdHunt', 'The end', {
    ...{ ...own, json: { level: null }, isNoExample: true },
  });
  await caller.call('getClassesByIdHunt', 'After its end', { ...own, isNoExample: true });
  await caller.call('getClassesByIdEvents', 'The live board', {
    ...own,
    isStreamCut: true,
    isNoExample: true,
  });
  for (const format of ['json', 'csv']) {
    await caller.call('getClassesByIdExport', `As ${format}`, { ...own, query: { format } });
  }
  await caller.call('getClassesByIdExport', 'As XML', { ...own, query: { format: 'xml' } });
  await caller.call('postClasses', 'By a pupil', { ...inClass, json: { name: 'Mine' } });
  await caller.call('getClassesMe', 'A pupil', inClass);
  await caller.call('getClassesRanking', 'A pupil', inClass);
  await caller.call('putSandboxRecording', 'A pupil', { ...inClass, json: { on: false } });

  const pupil = { path: { id, pupil: '1' }, headers };
  await caller.call('getClassesByIdPupilsByPupil', 'A pupil', pupil);
  await caller.call('getClassesByIdPupilsByPupilRequests', 'A pupil', {
    ...pupil,
    isNoExample: true,
  });
  await caller.call('postClassesByIdPupilsByPupilReset', 'A pupil', pupil);
  await caller.call('postClassesByIdReset', 'All pupils', own);
  await caller.call('deleteClassesByIdPupilsByPupil', 'A pupil', pupil);

  for (let number = 0; number < 199; number++) {
    await caller.send('postClassesJoin', { json: { joinCode, name: `Pupil ${number}` } });
  }
  await caller.call('postClassesJoin', 'Too many pupils', { json: { joinCode, name: 'Late' } });
  await caller.call('deleteClassesById', 'The class', own);
  await caller.call('getClassesMe', 'A class that has ended', inClass);
  await caller.call('getClassesRanking', 'A class that has ended', inClass);

  const wrong = { json: { joinCode: 'AAAA-AAAA', name: 'Eve' } };
  await caller.call('postClassesJoin', 'A wrong code', wrong);
  for (let sent = 1; sent < 60; sent++) await caller.send('postClassesJoin', wrong);
  await caller.call('postClassesJoin', 'Too many wrong codes', wrong);
  for (let number = 0; number < 50; number++) {
    await caller.send('postClasses', { json: { name: 'Many' } });
  }
  await caller.call('postClasses', 'Too many classes', { json: { name: 'One more' } });
};
