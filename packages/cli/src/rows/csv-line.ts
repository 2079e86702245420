import { cliInputError } from '../errors/codes.ts'

/** Text that a cell of CSV must quote: separators, quotes, line ends, and blanks at the edges. An empty text is quoted, too. */
const QUOTED = /[",\r\n]|^\s|\s$|^$/

/**
 * Prints a line of CSV as RFC 4180 has it, with a line end. A missing value is an empty cell, and an empty text is `""`.
 *
 * @param cells - the cells; `undefined` for a missing value
 * @throws InputError with the code `InvalidArgument` for a text that UTF-8 cannot hold
 */
export function csvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string | undefined): string {
  if (text === undefined) return ''
  if (/\p{Surrogate}/u.test(text)) {
    throw cliInputError(
      'InvalidArgument',
      'A value has half of a surrogate pair, which CSV cannot hold. Give --format ndjson.',
    )
  }
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
