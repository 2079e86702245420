import { withoutControls } from '../shell/without-controls.ts'

/** A cell is cut at this many characters. */
const WIDEST = 40

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
  const names = headings.map(withoutControls)
  const shown = lines.map((cells) => cells.map(shownCell))
  const widths = names.map((name, at) =>
    shown.reduce((width, cells) => Math.max(width, cells[at]?.length ?? 0), name.length),
  )
  const printed = [names, widths.map((width) => '-'.repeat(width)), ...shown].map((cells) =>
    widths
      .map((width, at) => (cells[at] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  )
  return `${printed.join('\n')}\n`
}

function shownCell(text: string): string {
  const plain = withoutControls(text)
  return plain.length > WIDEST ? `${plain.slice(0, WIDEST - 1)}…` : plain
}
