/** A cell is cut at this many characters. */
const WIDEST = 40

/** Control characters, which could change the terminal of the reader. */
const CONTROLS = /\p{Cc}/gu

/**
 * Prints lines of cells under their headings, in columns as wide as their content.
 *
 * @param headings - the first line
 * @param lines - the cells of each line
 * @returns the text, with a line feed at its end
 */
export function textTable(
  headings: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const shown = lines.map((cells) => cells.map(shownCell))
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...shown.map((cells) => cells[at]?.length ?? 0)),
  )
  const printed = [headings, widths.map((width) => '-'.repeat(width)), ...shown].map((cells) =>
    widths
      .map((width, at) => (cells[at] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  )
  return `${printed.join('\n')}\n`
}

/** Prints control characters as JSON does; JSON itself leaves those from U+007F on as they are. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, (control) =>
    control < ' '
      ? JSON.stringify(control).slice(1, -1)
      : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function shownCell(text: string): string {
  const plain = withoutControls(text)
  return plain.length > WIDEST ? `${plain.slice(0, WIDEST - 1)}…` : plain
}
