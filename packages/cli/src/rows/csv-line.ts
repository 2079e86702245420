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
  const broken = cells.findIndex((text = '') => /\p{Surrogate}/u.test(text))
  if (broken < 0) return `${cells.map(csvCell).join(',')}\r\n`
  const begin = JSON.stringify(cells.slice(0, 2)).slice(1, -1)
  const reason = `Cell ${broken + 1} of the line ${begin},… has half of a surrogate pair, which CSV cannot hold. Give --format ndjson.`
  throw cliInputError('InvalidArgument', reason)
}

function csvCell(text: string | undefined): string {
  if (text === undefined) return ''
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
