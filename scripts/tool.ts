/** Runs a script that is needed now and then: `npm run tool <name>`. `npm run tool` lists them. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { TOOLS } from './tools.ts'

const [name, ...args] = process.argv.slice(2)
const tool = name === undefined ? undefined : TOOLS[name]
if (tool !== undefined) {
  const [program, ...given] = tool.runs
  process.exitCode = spawnSync(program, [...given, ...args], { stdio: 'inherit' }).status ?? 1
} else {
  if (name !== undefined) console.error(`unknown tool: ${name}\n`)
  for (const [each, { does }] of Object.entries(TOOLS)) console.log(`${each.padEnd(16)}${does}`)
  process.exitCode = name === undefined ? 0 : 2
}
