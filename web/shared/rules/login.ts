/** What is typed from a letter. The twin of `functions/domain/src/login.rs`. */

/**
 * The text without any white space: letters print it for legibility, and none of it belongs to a name or password (L5).
 * White space is what Unicode calls so, and the byte order mark, which some programs leave in copied text.
 */
export const withoutWhiteSpace = (text: string): string => text.replace(/[\p{White_Space}\uFEFF]/gu, '')
