/** The part of a body that a bin stores, in bytes. Further bytes are only counted. */
export const keptBodyBytes = 256 * 1024;
