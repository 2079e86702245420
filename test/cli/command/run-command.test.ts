import { describe, expect, it } from 'vitest'
import { makeProgram } from '../../../packages/cli/src/command/program.ts'
import { runCli } from '../run-cli.ts'
import { silentShell } from '../silent-shell.ts'

const names = makeProgram(silentShell())
  .commands.map((command) => command.name())
  .filter((name) => name !== 'complete')

describe('invalid arguments', () => {
  it.each([
    [
      'query people --taek 5',
      "unknown option '--taek'. (Did you mean --take?) See rowkey query --help.",
    ],
    ['query', "missing required argument 'table'. See rowkey query --help."],
    [
      'query people more',
      "too many arguments for 'query'. Expected 1 argument but got 2. See rowkey query --help.",
    ],
    [
      'copy people --partition a -p b',
      "option '-p, --partition <key>' has two values. Give it once. See rowkey copy --help.",
    ],
    ['import people --type a=Int32 --type a=Int64', 'a has two types.'],
    ['query people --take 0', 'It must be a whole number from 1. See rowkey query --help.'],
    [
      'query people -o xml',
      'Allowed choices are table, json, ndjson, csv. See rowkey query --help.',
    ],
    ['qeury people', "unknown command 'qeury'. (Did you mean query?) See rowkey --help."],
    ['AccountName=a;AccountKey=c2VjcmV0', 'unknown command. See rowkey --help.'],
    ['tables --account-key=c2VjcmV0', "unknown option '--account-key'. See rowkey tables --help."],
  ])('exit with 2 and name the mistake: %s', async (line, message) => {
    const { code, printed, warned } = await runCli(line)
    expect([code, printed]).toEqual([2, ''])
    expect(warned).toMatch(/^rowkey: .*\n$/)
    expect(warned).toContain(message)
    expect(warned).not.toContain('c2VjcmV0')
  })

  it('are one JSON document with --json', async () => {
    const { code, warned } = await runCli('query people --take 0 --json')
    expect([code, JSON.parse(warned).error]).toEqual([
      2,
      expect.objectContaining({ name: 'InputError', code: 'InvalidArgument' }),
    ])
  })

  it('print the help without a command', async () => {
    const { code, printed, warned } = await runCli('')
    expect([code, warned]).toEqual([2, ''])
    expect(printed).toContain('Usage: rowkey')
  })

  it.each(names.filter((name) => !['help', 'verify'].includes(name)))(
    'exit with 2 when %s has no target',
    async (name) => {
      const usage = makeProgram(silentShell())
        .commands.find((command) => command.name() === name)
        ?.usage()
      const args = Array.from(usage?.match(/<\w+(?:\.\.\.)?>/g) ?? [], (argument) =>
        argument === '<assignments...>' ? 'n=1' : 'people',
      )
      const line: Readonly<Record<string, readonly string[]>> = {
        delete: [...args, '--partition', 'a'],
        index: ['state', '--models', 'models.ts'],
      }
      const { code, warned } = await runCli([name, ...(line[name] ?? args)])
      expect([code, warned]).toEqual([2, expect.stringContaining('--target')])
    },
  )
})

it('prints the version', async () => {
  expect(await runCli('--version')).toEqual({ code: 0, printed: '0.0.0\n', warned: '' })
})
