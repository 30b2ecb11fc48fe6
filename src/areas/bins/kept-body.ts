/** How much of a body is kept; the rest is counted. */
export const keptBodyBytes = 256 * 1024;
