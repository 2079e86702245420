import type { Shell } from '../../packages/cli/src/shell/shell.ts'

/** What a {@link silentShell} printed, besides the shell. */
export interface SilentShell extends Shell {
  printed: string
  warned: string
  /** Questions that were asked. */
  readonly questions: string[]
  /** The answer to every question. */
  answer: string
}

/** A shell without a process: it keeps what is printed. */
export function silentShell(shell: Partial<Shell> = {}): SilentShell {
  const questions: string[] = []
  return {
    input: (async function* () {})(),
    environment: { ROWKEY_PROFILES: '/nonexistent' },
    folder: '/nonexistent',
    isInteractive: false,
    signal: new AbortController().signal,
    exitCode: 0,
    now: () => 0,
    printed: '',
    warned: '',
    questions,
    answer: '',
    async print(text) {
      this.printed += text
    },
    warn(text) {
      this.warned += text
    },
    showProgress(text) {
      this.warned += `\r${text}\u001b[K`
    },
    async ask(question) {
      questions.push(question)
      return this.answer
    },
    ...shell,
  }
}
