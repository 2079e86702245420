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
      process.stdout.write(text)
    },
    warn: (text) => {
      process.stderr.write(text)
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
