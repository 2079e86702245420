import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeProgram } from '../../../packages/cli/src/command/program.ts'
import { runCli } from '../run-cli.ts'
import { silentShell } from '../silent-shell.ts'

const names = makeProgram(silentShell())
  .commands.map((command) => command.name())
  .filter((name) => name !== 'complete')

describe('the help', () => {
  it.each(names)('of rowkey %s stays as it is', async (name) => {
    const { code, printed, warned } = await runCli(`${name} --help`)
    expect([code, warned]).toEqual([0, ''])
    await expect(printed).toMatchFileSnapshot(`help/${name}.txt`)
    expect((await runCli(`help ${name}`)).printed).toBe(printed)
  })

  it('of the whole command stays as it is', async () => {
    await expect((await runCli('--help')).printed).toMatchFileSnapshot('help/rowkey.txt')
  })

  it('has a snapshot of each command and of no other', () => {
    const files = readdirSync(new URL('help/', import.meta.url)).map((file) => file.slice(0, -4))
    expect(files.sort()).toEqual([...names.filter((name) => name !== 'help'), 'rowkey'].sort())
  })
})
