import type { Terminal } from './terminal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The part of a process that a terminal needs. */
export type TerminalProcess = Pick<
  NodeJS.Process,
  'env' | 'exit' | 'exitCode' | 'on' | 'stderr' | 'stdout'
>

/**
 * Makes a terminal of a process: the first signal asks it to stop, a second one ends it at once with 1.
 * When the reader of its output goes away, the process continues and drops what it prints.
 */
export function processTerminal(process: TerminalProcess): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.exitCode = 1
    process.stderr.write(`rowkey: cannot write to the standard output (${error.message}).\n`)
  })
  // Errors of stderr cannot be reported anywhere.
  process.stderr.on('error', () => {})
  return {
    environment: process.env,
    print: (text) => {
      process.stdout.write(withoutControls(text))
    },
    warn: (text) => {
      process.stderr.write(withoutControls(text))
    },
    stopped: () =>
      new Promise((resolve) => {
        let isStopping = false
        const stop = (): void => {
          if (isStopping) process.exit(1)
          isStopping = true
          resolve()
        }
        for (const signal of SIGNALS) process.on(signal, stop)
      }),
  }
}

/** Prints control characters as JSON does, except line feeds: names of files and of tables could change the terminal. */
function withoutControls(text: string): string {
  return text.replace(
    /[^\P{Cc}\n]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
