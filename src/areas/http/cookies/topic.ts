/** Cookies: shows received cookies, sets cookies with any attribute, and tests clients with difficult ones. */

import { presetToken } from '#kit/offers/front-page.js';
import { judgeToken } from '#kit/verdict/judge.js';
import type { Topic } from '../topic.js';
import { jarJudge, judge, startJar, visit } from './jar-endpoints.js';
import { listMalformed, setMalformed } from './malformed.js';
import { path, remove, setOne, setSeveral, show, showDeep } from './set-cookies.js';

const ofOneJar = 'An exercise needs one jar, but tools start with an empty jar in every run.';

export const cookiesTopic: Topic = {
  name: 'cookies',
  title: 'Cookies',
  start: path,
  summary:
    'Received cookies, cookies with any attribute, malformed cookies, and an exercise for your cookie jar.',
  offers: [
    judgeToken.of(() => jarJudge),
    presetToken.of(() => ({ title: 'a cookie', method: 'GET', path: `${path}/set?flavour=oat` })),
  ],
  examples: () => [
    {
      title: 'Set a cookie that clients must drop, and see why',
      method: 'POST',
      path,
      json: { name: '__Host-session', value: 'a1b2', path: '/' },
      response: { status: 200, headers: ['Set-Cookie'], has: 'requires Secure' },
    },
  ],
  collection: {
    leftOut: { getHttpCookiesJarById: ofOneJar, getHttpCookiesJarByIdBySubPath: ofOneJar },
  },
  endpoints: () => [
    show,
    setOne,
    setSeveral,
    remove,
    listMalformed,
    setMalformed,
    showDeep,
    startJar,
    judge,
    visit,
  ],
};
