import { bodyAttacks } from './bodies.js';
import { documentAttacks } from './documents.js';
import { forbiddenAttacks } from './forbidden.js';
import { heldAttacks } from './held-requests.js';
import { http2Attacks } from './http2.js';
import { pipeliningAttacks } from './pipelining.js';
import { readerAttacks } from './readers.js';
import { stateAttacks } from './state.js';
import { tlsAttacks } from './tls.js';

/** @type {readonly import('../attacker.js').Attack[]} */
export const attacks = [
  ...pipeliningAttacks,
  ...readerAttacks,
  ...bodyAttacks,
  ...documentAttacks,
  ...heldAttacks,
  ...stateAttacks,
  ...forbiddenAttacks,
  ...http2Attacks,
  ...tlsAttacks,
];
