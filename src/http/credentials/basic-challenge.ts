import { quoted } from './challenge.js';
import { realm } from './realm.js';

/** What WWW-Authenticate says where Basic is taken (RFC 7617 section 2). */
export const basicChallenge = `Basic realm=${quoted(realm)}, charset="UTF-8"`;
