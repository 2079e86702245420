/** Characters that could change the terminal of the reader, or the order in which it shows others. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** The same without the ends of lines. */
const WITHIN_LINES = /(?!\n|\r\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Prints control characters as JSON does, so that a name or a message stays within its line. JSON itself leaves those from U+007F on as they
 * are.
 *
 * @param text - part of a line
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, escaped)
}

/**
 * Prints control characters as JSON does, except the ends of lines.
 *
 * @param text - lines
 */
export function linesWithoutControls(text: string): string {
  return text.replace(WITHIN_LINES, escaped)
}

function escaped(control: string): string {
  return control < ' '
    ? JSON.stringify(control).slice(1, -1)
    : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
