import type { Shell } from '../shell/shell.ts'

/** Milliseconds between two reports: on a terminal, and elsewhere. */
const ON_TERMINAL = 200
const ELSEWHERE = 10_000

const BAR = 20

/** Counts rows. `fraction` is the part of the whole that is done, from 0 to 1; absent when that is unknown. */
export type OnRows = (rows: number, fraction?: number) => void

/**
 * Reports the progress of some work on the standard error: a bar with the rate and the time left on a terminal, a line every ten
 * seconds elsewhere. The bar is removed when the work ends.
 *
 * @param shell - the clock and the standard error
 * @param verb - what happens to the rows, such as `exported`
 * @param options - those of the command; with `json` nothing is reported
 * @param work - calls its argument for the rows that are done
 */
export async function withProgress<Result>(
  shell: Shell,
  verb: string,
  { json }: { readonly json?: true },
  work: (onRows: OnRows) => Promise<Result>,
): Promise<Result> {
  const pause = shell.isInteractive ? ON_TERMINAL : ELSEWHERE
  const begin = shell.now()
  let reported = begin
  let done = 0
  let isShown = false
  const onRows: OnRows = (rows, fraction) => {
    done += rows
    const now = shell.now()
    if (json || now - reported < pause) return
    reported = now
    isShown = true
    const text = progressText(verb, done, (now - begin) / 1000, fraction)
    if (shell.isInteractive) shell.showProgress(text)
    else shell.warn(`${text}\n`)
  }
  try {
    return await work(onRows)
  } finally {
    if (isShown && shell.isInteractive) shell.showProgress('')
  }
}

function progressText(verb: string, rows: number, seconds: number, fraction?: number): string {
  const rate = `${count(rows / seconds)}/s`
  const parts = [`${verb} ${counted(rows, 'row')}`, rate]
  if (fraction === undefined || fraction <= 0) return parts.join('  ')
  const filled = Math.round(fraction * BAR)
  const left = (seconds * (1 - fraction)) / fraction
  return [
    ...parts,
    `[${'='.repeat(filled)}${' '.repeat(BAR - filled)}] ${Math.floor(fraction * 100)}%`,
    `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, '0')} left`,
  ].join('  ')
}

/** Prints a whole number with separators: `12,300`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/**
 * Prints a number of things: `1 row`, `12,300 rows`.
 *
 * @param value - how many
 * @param thing - the name of one, whose plural ends in `s`
 */
export function counted(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`
}
