import { once } from 'node:events'
import { fstatSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { addAbortSignal } from 'node:stream'
import { EXIT, type Shell } from './shell.ts'
import { linesWithoutControls, withoutControls } from './without-controls.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The part of a process that a shell needs. */
export type ShellProcess = Pick<
  NodeJS.Process,
  'cwd' | 'env' | 'exit' | 'on' | 'off' | 'stderr' | 'stdin' | 'stdout'
>

/** The reason of an abort because the reader of the output went away. */
export const READER_GONE = 'the reader of the output went away'

/** The reason of an abort by a signal. */
export const ASKED_TO_STOP = 'the process was asked to stop'

/**
 * Makes a shell of a process. The first signal aborts the command, so that it can save its position; a second one ends the
 * process at once with 1.
 *
 * @param process - the process
 * @returns the shell, and a function that stops listening
 */
export function processShell(process: ShellProcess): {
  readonly shell: Shell
  readonly close: () => void
} {
  const stopping = new AbortController()
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(EXIT.failed)
    stopping.abort(ASKED_TO_STOP)
  }
  const { stdin, stdout, stderr } = process
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') stderr.write(`rowkey: cannot write (${error.message}).\n`)
    stopping.abort(error.code === 'EPIPE' ? READER_GONE : error)
  }
  const ignored = (): void => {}
  const decoder = new TextDecoder()
  /** Rows may contain anything, and a terminal obeys. A redirected output has them as they are. */
  const shownText = (text: string | Uint8Array): string =>
    linesWithoutControls(typeof text === 'string' ? text : decoder.decode(text, { stream: true }))
  let isRead = false
  for (const signal of SIGNALS) process.on(signal, stop)
  stdout.on('error', failed)
  stderr.on('error', ignored) // cannot be reported anywhere
  const shell: Shell = {
    get input() {
      isRead = true
      return addAbortSignal(stopping.signal, stdin)
    },
    environment: process.env,
    folder: process.cwd(),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    signal: stopping.signal,
    exitCode: EXIT.done,
    async print(given) {
      stopping.signal.throwIfAborted()
      const text = stdout.isTTY ? shownText(given) : given
      // The stream of a file drops what a full disk did not take of the last write, without an error.
      if (isFile(stdout.fd)) return writeFileSync(stdout.fd, text)
      if (stdout.write(text)) return
      await once(stdout, 'drain', { signal: stopping.signal }).catch(() =>
        stopping.signal.throwIfAborted(),
      )
    },
    warn(text) {
      stderr.write(linesWithoutControls(text))
    },
    showProgress(text) {
      stderr.write(`\r${withoutControls(text)}\u001b[K`)
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr })
      try {
        return await lines.question(question, { signal: stopping.signal })
      } finally {
        lines.close()
      }
    },
    now: Date.now,
  }
  const close = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop)
    stdout.off('error', failed)
    stdout.on('error', ignored)
    if (isRead) stdin.destroy() // its writer may keep it open
  }
  return { shell, close }
}

/** Tells whether an output is redirected to a file; the output of a test has no descriptor. */
function isFile(descriptor: number | undefined): boolean {
  return descriptor !== undefined && fstatSync(descriptor).isFile()
}
