import { signedRequestAttacks } from './credentials/signed-requests.js';
import { deliveryAttacks } from './deliveries.js';
import { documentAttacks } from './documents.js';
import { downloadAttacks } from './downloads.js';
import { forbiddenAttacks } from './forbidden.js';
import { grpcAttacks } from './grpc.js';
import { heldAttacks } from './held-requests.js';
import { http2Attacks } from './http2.js';
import { http2LabAttacks } from './http2-lab.js';
import { lawfulAttacks } from './lawful.js';
import { liveAttacks } from './live-events.js';
import { mcpAttacks } from './mcp.js';
import { parserAttacks } from './parsers.js';
import { paymentAttacks } from './payments.js';
import { pipeliningAttacks } from './pipelining.js';
import { patternAttacks } from './schemas/patterns.js';
import { referenceAttacks } from './schemas/references.js';
import { schemaAttacks } from './schemas.js';
import { bugReportAttacks } from './scripted/bug-reports.js';
import { classOwnerAttacks } from './scripted/class-owners.js';
import { classAttacks } from './scripted/classes.js';
import { deniedHeaderAttacks } from './scripted/denied-headers.js';
import { expectAttacks } from './scripted/expectations.js';
import { judgedAttacks } from './scripted/judged-messages.js';
import { languageModelAttacks } from './scripted/language-models.js';
import { plantedAttacks } from './scripted/planted-addresses.js';
import { scriptedAttacks } from './scripted/scripted-responses.js';
import { uploadAttacks } from './scripted/uploads.js';
import { watchedAttacks } from './scripted/watched-requests.js';
import { wireFaultAttacks } from './scripted/wire-faults.js';
import { shareAttacks } from './shares.js';
import { bodyAttacks, readerAttacks } from './slow-clients.js';
import { tlsAttacks } from './tls.js';
import { webSocketAttacks } from './web-sockets.js';

/** @type {readonly import('../attacker.js').Attack[]} */
export const attacks = [
  ...pipeliningAttacks,
  ...readerAttacks,
  ...bodyAttacks,
  ...documentAttacks,
  ...parserAttacks,
  ...paymentAttacks,
  ...signedRequestAttacks,
  ...lawfulAttacks,
  ...downloadAttacks,
  ...heldAttacks,
  ...webSocketAttacks,
  ...liveAttacks,
  ...deliveryAttacks,
  ...mcpAttacks,
  ...languageModelAttacks,
  ...shareAttacks,
  ...schemaAttacks,
  ...referenceAttacks,
  ...patternAttacks,
  ...forbiddenAttacks,
  ...http2Attacks,
  ...http2LabAttacks,
  ...grpcAttacks,
  ...tlsAttacks,
  ...expectAttacks,
  ...scriptedAttacks,
  ...deniedHeaderAttacks,
  ...uploadAttacks,
  ...wireFaultAttacks,
  ...bugReportAttacks,
  ...classAttacks,
  ...plantedAttacks,
  ...classOwnerAttacks,
  ...watchedAttacks,
  ...judgedAttacks,
];
