/** What collections of requests have to know of the issuer. */

import type { RequestCollection } from '../../kit/request-collection.js';

const needsToken = 'It wants a token that a browser was sent for.';
const needsClient = 'It wants the token of a client that was registered before.';

const needsRun = 'It wants a run that was begun before.';

export const oidcCollection: RequestCollection = {
  leftOut: {
    getOidcAuthorize: 'It is for browsers, and leads to an application.',
    postOidcAuthorize: 'It is for browsers, and leads to an application.',
    getOidcDevice: 'It is for browsers.',
    postOidcDeviceAuthorization: 'Each run would leave a device behind that waits.',
    postOidcPar: 'It leads to a page for browsers.',
    postOidcLogout: 'It is for browsers, and leads to an application.',
    postOidcUserinfo: needsToken,
    getOidcLogout: 'It is for browsers, and leads to an application.',
    postOidcKeysRotate: 'Everybody shares the keys of those who name no sandbox.',
    postOidcToken: 'It wants a code that a browser was sent for.',
    getOidcUserinfo: needsToken,
    postOidcIntrospect: needsToken,
    postOidcRevoke: needsToken,
    getOidcApiMe: needsToken,
    getOidcApiOrders: needsToken,
    putSandboxOidc: 'Nobody sets anything in the sandbox that everybody shares.',
    getSandboxOidc: 'Nothing is set in the sandbox that everybody shares.',
    getOidcTestPlanRunsByRun: needsRun,
    putOidcTestPlanRunsByRunByMisbehaviour: needsRun,
    postOidcRegister: 'Each run would leave a client behind.',
    getOidcRegisterByClientId: needsClient,
    putOidcRegisterByClientId: needsClient,
    deleteOidcRegisterByClientId: needsClient,
  },
};
