#!/usr/bin/env node
import process from 'node:process'
import { loadCli } from './cli-commands.ts'
import { processTerminal } from './process-terminal.ts'
import { runCommand } from './run-command.ts'

const code = await runCommand(
  process.argv.slice(2),
  processTerminal(process),
  async (command, args) => (await loadCli(command)).runCommand(args, process),
)
// What could not be printed is a failure as well.
if (code !== 0) process.exitCode = code
