import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Command } from 'commander'
import { adviseCommand } from '../commands/advise.ts'
import { backupCommand, restoreCommand, verifyCommand } from '../commands/backup.ts'
import { clearCommand, setCommand } from '../commands/change-rows.ts'
import { checkCommand } from '../commands/check.ts'
import { copyCommand } from '../commands/copy.ts'
import { countCommand } from '../commands/count.ts'
import { diffCommand } from '../commands/diff.ts'
import { doctorCommand } from '../commands/doctor.ts'
import { exportCommand } from '../commands/export.ts'
import { getCommand } from '../commands/get.ts'
import { importCommand } from '../commands/import.ts'
import { indexCommand } from '../commands/index-rows.ts'
import { pullCommand } from '../commands/pull.ts'
import { queryCommand } from '../commands/query.ts'
import { studioCommand } from '../commands/studio.ts'
import { createCommand, dropCommand, tablesCommand } from '../commands/tables.ts'
import { upgradeCommand } from '../commands/upgrade.ts'
import { deleteCommand, mergeCommand, putCommand } from '../commands/write.ts'
import type { Shell } from '../shell/shell.ts'
import { addCompletion } from './completion.ts'

/** The commands, in the order of the help. */
const COMMANDS = [
  tablesCommand,
  queryCommand,
  getCommand,
  countCommand,
  exportCommand,
  importCommand,
  copyCommand,
  diffCommand,
  putCommand,
  mergeCommand,
  deleteCommand,
  setCommand,
  createCommand,
  clearCommand,
  dropCommand,
  studioCommand,
  pullCommand,
  checkCommand,
  upgradeCommand,
  indexCommand,
  backupCommand,
  restoreCommand,
  verifyCommand,
  doctorCommand,
  adviseCommand,
]

const AFTER = `
A target is a connection string, a URL with a shared access signature, 'azurite', a folder, or a profile '@name'. Without
--target, the commands use ROWKEY_TARGET, or the variables of Azure's own tools, from the environment or a file .env.
'rowkey serve' starts the embedded service. docs/command.md has examples for each task.

Exit codes: 0 done, 1 failed, 2 invalid arguments, 3 differences found, 130 interrupted.
`

/**
 * Makes the program with all of its commands.
 *
 * @param shell - prints, reads and aborts
 */
export function makeProgram(shell: Shell): Command {
  const program = new Command('rowkey')
    .description(
      'Tables of Azure Storage, Cosmos DB, Azurite and folders: data in, data out, and a model out of data',
    )
    .version(readVersion(), '-v, --version', 'prints the version')
    .addHelpText('after', AFTER)
  const settings = {
    writeOut: (text: string) => void shell.print(text),
    writeErr: (text: string) => void shell.print(text), // only the help without a command
    outputError: () => {}, // runCommand reports errors
    getOutHelpWidth: () => 120,
    getErrHelpWidth: () => 120,
  }
  program.configureOutput(settings).exitOverride()
  for (const make of COMMANDS) {
    const command = make(shell).configureOutput(settings).exitOverride()
    rejectRepeated(command)
    program.addCommand(command.helpOption('-h, --help', 'prints this'))
  }
  program.helpOption('-h, --help', 'prints this')
  addCompletion(program)
  return program
}

/** Commander keeps the last value only: of two partitions, a command would read or copy one. Records collect their values. */
function rejectRepeated(command: Command): void {
  for (const option of command.options) {
    if (!option.required || typeof option.defaultValue === 'object') continue
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' has two values. Give it once.`)
      isGiven = true
    })
  }
}

/** Finds the package by its name, because bundling moves this file to another folder. */
function readVersion(): string {
  const path = createRequire(import.meta.url).resolve('@rowkey/cli/package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}
