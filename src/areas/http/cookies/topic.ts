/** Cookies: what came, setting them with any attribute, and what clients get wrong. */

import type { Topic } from '../topic.js';
import { judge, startJar, visit } from './jar-endpoints.js';
import { listMalformed, setMalformed } from './malformed.js';
import { path, remove, setOne, setSeveral, show, showDeep } from './set-cookies.js';

const ofOneJar = 'An exercise is for one jar, and a tool of requests has its own with every run.';

export const cookiesTopic: Topic = {
  name: 'cookies',
  title: 'Cookies',
  start: path,
  summary: 'Cookies that came, cookies with any attribute, malformed ones, and a jar to be judged.',
  presets: [{ title: 'a cookie', method: 'GET', path: `${path}/set?flavour=oat` }],
  examples: () => [
    {
      title: 'Set a cookie that clients must drop, and see why',
      method: 'POST',
      path,
      json: { name: '__Host-session', value: 'a1b2', path: '/' },
      response: { status: 200, headers: ['Set-Cookie'], has: 'demands Secure' },
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
