/** Limit for a response of records, which is written in memory. */
export const maxResponseBytes = 8 * 1024 * 1024;
