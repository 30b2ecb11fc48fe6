/** Classes in exported request collections: one class, with one pupil. */

import { type Adaptation, member, type RequestCollection } from '#kit/request-collection.js';

const headers = { 'X-Teacher-Key': '{{teacherKey}}' };
const ofClass: Adaptation = { path: { id: '{{classId}}' }, headers };
const ofPupil: Adaptation = { path: { id: '{{classId}}', pupil: '{{pupil}}' }, headers };

const ofClassNames = [
  'getClassesById',
  'patchClassesById',
  'getClassesByIdExport',
  'getClassesByIdHunt',
  'postClassesByIdMessages',
  'postClassesByIdReset',
];
const ofPupilNames = ['getClassesByIdPupilsByPupil', 'postClassesByIdPupilsByPupilReset'];

const below = 'Is sent below the address of a pupil.';

export const classCollection: RequestCollection = {
  adaptations: {
    postClasses: {
      keeps: {
        classId: member('id'),
        joinCode: member('joinCode'),
        teacherKey: member('teacherKey'),
      },
    },
    postClassesJoin: {
      body: { joinCode: '{{joinCode}}' },
      keeps: { pupil: member('pupil'), pupilCode: member('code') },
    },
    postClassesByCodeRejoin: {
      path: { code: '{{joinCode}}' },
      body: { code: '{{pupilCode}}' },
    },
    ...Object.fromEntries(ofClassNames.map((name) => [name, ofClass])),
    ...Object.fromEntries(ofPupilNames.map((name) => [name, ofPupil])),
    putClassesByIdHunt: { ...ofClass, body: { level: 'junior' } },
    deleteClassesByIdPupilsByPupil: { ...ofPupil, forgets: ['pupil', 'pupilCode'] },
    deleteClassesById: { ...ofClass, forgets: ['classId', 'joinCode', 'teacherKey'] },
  },
  endings: ['deleteClassesByIdPupilsByPupil', 'deleteClassesById'],
  leftOut: {
    getClassesMe: below,
    getClassesRanking: below,
    getClassesByIdPupilsByPupilRequests: 'Depends on what the pupil has sent.',
    getClassesByIdEvents: 'Streams until the class ends.',
  },
};
