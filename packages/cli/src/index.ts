export { runCommand } from './command/run-command.ts'
export type { ShellProcess } from './shell/process-shell.ts'
