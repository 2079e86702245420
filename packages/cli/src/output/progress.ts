import type { Shell } from '../shell/shell.ts'

/** Milliseconds between two reports: on a terminal, and elsewhere. */
const ON_TERMINAL = 200
const ELSEWHERE = 10_000

const BAR = 20

/** How far a command is. */
export interface Progress {
  /** Counts rows, and reports when it is time to. */
  add(rows: number): void
  /** Removes the bar from the terminal. */
  end(): void
}

/**
 * Reports the progress of a command on the standard error: a bar with the rate and the time left on a terminal, a line every ten
 * seconds elsewhere.
 *
 * @param shell - the clock and the standard error
 * @param verb - what happens to the rows, such as `exported`
 * @param fraction - which part is done, from 0 to 1; absent when that is unknown
 */
export function progressOf(shell: Shell, verb: string, fraction?: () => number): Progress {
  const pause = shell.isInteractive ? ON_TERMINAL : ELSEWHERE
  const begin = shell.now()
  let reported = begin
  let done = 0
  let isShown = false
  return {
    add(rows) {
      done += rows
      const now = shell.now()
      if (now - reported < pause) return
      reported = now
      isShown = true
      const text = progressText(verb, done, (now - begin) / 1000, fraction?.())
      shell.warn(shell.isInteractive ? `\r${text}\u001b[K` : `${text}\n`)
    },
    end() {
      if (isShown && shell.isInteractive) shell.warn('\r\u001b[K')
    },
  }
}

function progressText(verb: string, rows: number, seconds: number, fraction?: number): string {
  const rate = `${count(rows / seconds)}/s`
  const parts = [`${verb} ${count(rows)} rows`, rate]
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
