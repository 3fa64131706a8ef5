/**
 * White space in what people enter. The twin of `functions/domain/src/white_space.rs`: what Unicode calls so, and the byte
 * order mark, which some programs leave in copied text.
 */
const WHITE_SPACE = /[\p{White_Space}\uFEFF]/gu
const AROUND = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu

/** The text without white space around it. */
export const trimmed = (text: string): string => text.replaceAll(AROUND, '')

/** The text without any white space. */
export const withoutWhiteSpace = (text: string): string => text.replaceAll(WHITE_SPACE, '')
