import type { Terminal } from './terminal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The part of a process that a terminal needs. */
export type TerminalProcess = Pick<NodeJS.Process, 'exit' | 'exitCode' | 'on' | 'stderr' | 'stdout'>

/**
 * A process as a terminal: the first signal asks to stop, a second one ends it at once with 1. Whoever
 * reads no further misses what is printed, and nothing else; a service goes on.
 */
export function processTerminal(process: TerminalProcess): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.exitCode = 1
    process.stderr.write(`rowkey: nothing can be printed (${error.message}).\n`)
  })
  // There is nobody left to tell.
  process.stderr.on('error', () => {})
  return {
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
