import type { Step } from '../consumer.ts'

/** What the README's program prints. */
export const README_RUNS = /the README runs: insert get merge batch query errors/

/** The program of the README, and what starts it. */
export const readme = ['readme.ts', 'main.ts']
/** The same, bundled with the embedded service. */
export const readmeBundle = [...readme, 'bundle.ts']
/** The same as a test of Jest and Vitest. */
export const readmeTest = ['readme.ts', 'readme.test.ts']
/** What the table says about these programs. */
export const classOfReadme = 'the class and the calls of the README, embedded service'

/** Runs the README's program. */
export const runs = (...run: readonly string[]): Step => ({ run, prints: README_RUNS })
/** Runs the README's program on this Node. */
export const node = (file: string): Step => runs('node', file)
/** Compiles the project by its tsconfig.json. */
export const compile: Step = { run: ['tsc', '-p', '.'] }

/** Bundles a program, or only compiles it with `--packages=external`. */
export const esbuild = (program: string, ...options: readonly string[]): Step => ({
  run: ['esbuild', program, '--bundle', '--target=es2022', '--log-level=warning', ...options],
})

/** Names of modules whatever the project says. */
export const MJS = ['--out-extension:.js=.mjs']
