/** Paths of the verdicts. */

export const pagePath = '/verdicts';

export const path = '/api/sandbox/verdicts';
