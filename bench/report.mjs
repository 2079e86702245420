import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export const titleOf = ({ operation, concurrency }) => `${operation}@${concurrency}`

/** One row of a Markdown table. */
export const row = (cells) => `| ${cells.join(' | ')} |`

/**
 * A Markdown table of medians: a client's cost divided by the reference's cost in the same slice.
 *
 * @param samples - `{ cell, slice, costs }`, costs by client name
 * @param reference - the client that is 1.00
 */
export function ratioTable(samples, names, reference) {
  const titles = [...new Set(samples.map(({ cell }) => titleOf(cell)))]
  const ratio = (name, title) =>
    median(
      samples
        .filter(({ cell }) => titleOf(cell) === title)
        .map(({ costs }) => costs[name] / costs[reference]),
    )
  return [
    row(['client', ...titles]),
    row(['---', ...titles.map(() => '--:')]),
    ...names.map((name) => row([name, ...titles.map((title) => ratio(name, title).toFixed(2))])),
  ].join('\n')
}

export const machine = () =>
  `Node ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}, ${new Date().toISOString().slice(0, 10)}`

const AFTER = '\n<!-- end of the table -->'

/**
 * Replaces the table in the README.
 *
 * @param script - the script that makes it, which the README names before the table
 * @param table - the new one
 */
export function recordTable(script, table) {
  const file = new URL('README.md', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const before = `<!-- the table: npm --prefix bench run ${script} -->\n`
  const start = text.indexOf(before) + before.length
  const end = text.indexOf(AFTER, start - 1) // an empty place has only one line break
  if (start < before.length || end < 0) throw new Error(`README.md has no place for ${script}`)
  writeFileSync(file, text.slice(0, start) + table + text.slice(end))
}
