/** The lines of a program in the text of its errors: the worker runs it compiled, from an address that says nothing. */
import { decode } from '@jridgewell/sourcemap-codec'

/** An error as the page shows it. */
export interface ShownError {
  readonly text: string
  /** The line of the program where the error began, from 1; absent when its stack does not lead to the program. */
  readonly line?: number
}

/** A line of a stack that leads into the playground's own worker, and what `inspect` writes behind it. */
const OWN_FRAME = /^\s+at .*\bworker\.js:\d+:\d+\)?/

/**
 * Names the lines of the program in the text of an error, and leaves out what the worker called to get there.
 *
 * @param text - an error as `inspect` prints it
 * @param module - the address of the compiled program; `undefined` when it could not be linked
 * @param mappings - from the compiled program to the program, as a source map has them
 */
export function withProgramLines(
  text: string,
  module: string | undefined,
  mappings: string,
): ShownError {
  if (!text.includes('\n')) return { text }
  const segments = decode(mappings)
  let first: number | undefined
  const named = (_: string, line: string, column: string) => {
    const [, , sourceLine, sourceColumn] =
      segments[Number(line) - 1]?.findLast(([at]) => at < Number(column)) ?? []
    if (sourceLine === undefined || sourceColumn === undefined) return `main.ts:${line}`
    first ??= sourceLine + 1
    return `main.ts:${sourceLine + 1}:${sourceColumn + 1}`
  }
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const [own] = OWN_FRAME.exec(line) ?? []
    if (own === undefined) lines.push(line)
    // An error with properties or a cause opens a brace behind its last frame.
    else lines.push(`${lines.pop() ?? ''}${line.slice(own.length)}`)
  }
  const own = lines.join('\n')
  const [before = '', ...frames] = module === undefined ? [own] : own.split(`${module}:`)
  const shown = frames.map((frame) => frame.replace(/^(\d+):(\d+)/, named))
  return { text: before + shown.join(''), ...(first !== undefined && { line: first }) }
}
