import { quoted } from './challenge.js';
import { realm } from './realm.js';

/** The challenge of endpoints with Basic authentication (RFC 7617 section 2). */
export const basicChallenge = `Basic realm=${quoted(realm)}, charset="UTF-8"`;
