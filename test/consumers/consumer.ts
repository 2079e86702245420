/** One command of a {@link Consumer}. */
export interface Step {
  /** The program and its arguments; programs of the sandbox are found by name. */
  readonly run: readonly string[]
  /** What the output must match, besides an exit code of 0. */
  readonly prints?: RegExp
  /** What the output must not match. */
  readonly mustNotPrint?: RegExp
  readonly environment?: Readonly<Record<string, string>>
}

/** A small project that installs Rowkey from its tarballs and uses one tool. */
export interface Consumer {
  /** Unique; shown in the output and taken as an argument. */
  readonly name: string
  /** The tool, as the table shows it. */
  readonly tool: string
  /** The packages whose installed versions the table shows. */
  readonly versionsOf?: readonly string[]
  /** Prints the version, for tools that are not packages of the sandbox. */
  readonly version?: readonly string[]
  /** What ran, as the table shows it. */
  readonly what: string
  /** The folder below `projects/` that is copied, `examples`, or `stacks` for `examples/stacks`. Several consumers may share one. */
  readonly project: string
  /** The files below `programs/` that are copied beside it. */
  readonly programs: readonly string[]
  /** Which tools are installed. */
  readonly set: ToolSet
  /** Whether Rowkey is not beside it: it installs Rowkey itself, from a registry of the tarballs. */
  readonly isAlone?: boolean
  readonly steps: readonly Step[]
  /** Why it cannot run on this machine; `undefined` when it can. */
  readonly missing?: () => string | undefined
}

/** A folder below `tools/`. */
export type ToolSet = 'fast' | 'full' | 'frameworks' | 'stacks'

/** How a consumer ended. */
export interface Result {
  readonly consumer: Consumer
  readonly version: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** What the tool printed, or why it was skipped. */
  readonly output: string
  /** Seconds. */
  readonly seconds: number
}
